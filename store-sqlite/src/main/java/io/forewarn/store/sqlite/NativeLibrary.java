package io.forewarn.store.sqlite;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library, which the driver unpacks into a directory first. That directory is beside the store:
 * private to this user, used by no other process while the store is locked, and rarely mounted {@code noexec}, as
 * {@code /tmp} often is. The next process deletes the copy of a killed one. If the directory cannot be used, the
 * system's temporary directory is tried.
 */
final class NativeLibrary {
    private static final String FOLDER = "org.sqlite.tmpdir";

    private NativeLibrary() {}

    /** Loads it if it need not be unpacked. A failure happens again when a store is opened. */
    static synchronized void preload() {
        if (System.getProperty("org.sqlite.lib.path") != null) {
            loads();
        }
    }

    static synchronized void load(Path folder) throws StoreException {
        sweep(folder);
        if (System.getProperty(FOLDER) != null || System.getProperty("org.sqlite.lib.path") != null) {
            if (!loads()) {
                throw unloadable("where the properties org.sqlite.* say");
            }
            return;
        }
        boolean loaded = false;
        if (made(folder)) {
            System.setProperty(FOLDER, folder.toString());
            loaded = loads();
            System.clearProperty(FOLDER);
        }
        if (!loaded && !loads()) {
            throw unloadable("in " + folder + " nor in " + System.getProperty("java.io.tmpdir"));
        }
    }

    private static boolean loads() {
        try {
            return SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError e) {
            return false;
        }
    }

    private static StoreException unloadable(String where) {
        return new StoreException(
                Kind.REJECTED,
                "SQLite's native library could not be loaded " + where
                        + ". Name a folder with some free space that allows programs to run: -Dorg.sqlite.tmpdir=FOLDER");
    }

    private static boolean made(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static void sweep(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "sqlite-*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // Harmless: it only takes some space.
            return;
        }
    }
}
