package io.forewarn.server.boot;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps the files of a store with the user that runs the server: files that root writes in its place would be closed to
 * it.
 */
final class StoreOwner {
    private static final String DATABASE = ".db";
    private static final String USER = "unix:uid";
    private static final String GROUP = "unix:gid";

    private final Path store;
    private final Object user;
    private final Object group;

    private StoreOwner(Path store, Object user, Object group) {
        this.store = store;
        this.user = user;
        this.group = group;
    }

    /** @throws RefusedException if this user is neither the owner nor root */
    static StoreOwner of(Path path) {
        Path store = path.toAbsolutePath().normalize();
        Path there = store;
        while (!Files.exists(there)) {
            there = there.getParent();
        }
        try {
            String owner = Files.getOwner(there).getName();
            String self = System.getProperty("user.name");
            if (!owner.equals(self) && !self.equals("root")) {
                throw new RefusedException(
                        Problem.CONFLICT,
                        "the store " + store + " belongs to the user " + owner + "; run this as that user, or as root");
            }
            return new StoreOwner(store, Files.getAttribute(there, USER), Files.getAttribute(there, GROUP));
        } catch (IOException unclear) {
            throw unusable(store, unclear);
        }
    }

    /** Gives all files of the store to its owner. */
    void keep() {
        try (Stream<Path> files = Files.walk(store.toString().endsWith(DATABASE) ? store.getParent() : store)) {
            List<Path> own = files.filter(this::isOurs).toList();
            for (Path file : own) {
                if (!Files.getAttribute(file, USER, LinkOption.NOFOLLOW_LINKS).equals(user)) {
                    Files.setAttribute(file, USER, user, LinkOption.NOFOLLOW_LINKS);
                    Files.setAttribute(file, GROUP, group, LinkOption.NOFOLLOW_LINKS);
                }
            }
        } catch (IOException failed) {
            throw unusable(store, failed);
        }
    }

    /** A store that is named by its file may have strangers beside it. */
    private boolean isOurs(Path file) {
        return !store.toString().endsWith(DATABASE) || file.toString().startsWith(store.toString());
    }

    private static RefusedException unusable(Path store, IOException why) {
        return new RefusedException(
                Problem.STORE_UNAVAILABLE, "the store " + store + " cannot be used: " + why.getMessage());
    }
}
