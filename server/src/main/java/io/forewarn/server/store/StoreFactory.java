package io.forewarn.server.store;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.server.settings.EtcdSettings;
import io.forewarn.server.settings.StoreSettings;
import io.forewarn.store.etcd.EtcdAccess;
import io.forewarn.store.etcd.EtcdStore;
import io.forewarn.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the configured store. */
public final class StoreFactory {
    private StoreFactory() {}

    public static Store open(StoreSettings settings) throws StoreException {
        Store store = settings.shared() ? EtcdStore.open(access(settings)) : SqliteStore.open(settings.sqlite());
        try {
            boolean[] half = {false};
            store.scan(StoreCopy.MARK, "", 1, (key, value) -> half[0] = key.equals(StoreCopy.MARK));
            if (half[0]) {
                throw new StoreException(
                        Kind.UNREADABLE,
                        "the store " + settings.location()
                                + " is half a copy: 'store copy' was broken off. Empty it and copy again");
            }
            return store;
        } catch (StoreException | RuntimeException unusable) {
            store.close();
            throw unusable;
        }
    }

    /** Whether the store was never changed: all changes are in the audit log, whose newest page is never removed. */
    public static boolean isNew(Store store) throws StoreException {
        boolean[] used = {false};
        store.scan(AuditPage.PREFIX, "", 1, (key, value) -> used[0] = true);
        return !used[0];
    }

    public static EtcdAccess access(StoreSettings settings) {
        EtcdSettings etcd = settings.etcd();
        return new EtcdAccess(
                settings.urls(),
                etcd.prefix(),
                file("store.etcd.ca", etcd.ca()),
                file("store.etcd.cert", etcd.cert()).flatMap(cert -> file("store.etcd.key", etcd.key())
                        .map(key -> new EtcdAccess.Identity(cert, key))),
                file("store.etcd.password-file", etcd.passwordFile())
                        .map(file -> new EtcdAccess.Login(etcd.user(), firstLine(file))),
                etcd.timeout());
    }

    /** A missing file does not appear by waiting for etcd. */
    private static Optional<Path> file(String setting, String path) {
        if (path.isBlank()) {
            return Optional.empty();
        }
        Path file = Path.of(path);
        if (!Files.isReadable(file)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the file " + file + " that " + setting + " names "
                            + (Files.exists(file) ? "may not be read by this user" : "does not exist"));
        }
        return Optional.of(file);
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file)
                    .lines()
                    .findFirst()
                    .filter(line -> !line.isBlank())
                    .orElseThrow(() -> new RefusedException(
                            Problem.BAD_INPUT, "the file " + file + " that store.etcd.password-file names is empty"));
        } catch (IOException unreadable) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the file " + file + " that store.etcd.password-file names cannot be read: "
                            + unreadable.getMessage());
        }
    }
}
