package io.forewarn.server.boot;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.settings.EtcdSettings;
import io.forewarn.server.settings.StoreSettings;
import io.forewarn.store.etcd.Access;
import io.forewarn.store.etcd.EtcdStore;
import io.forewarn.store.sqlite.SqliteStore;
import io.forewarn.wire.control.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Opens the store that was chosen. */
final class Stores {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private Stores() {}

    static Store open(StoreSettings settings) throws StoreException {
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

    /**
     * The same, but patient: etcd is another service, which may come up later than this one. A file is there or is not.
     *
     * @param log is told why it waits
     */
    static Store await(StoreSettings settings, Log log) throws StoreException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return open(settings);
            } catch (StoreException problem) {
                if (!settings.shared() || problem.kind() == Kind.UNREADABLE) {
                    throw problem;
                }
                log.write(LogLine.warning("waiting-for-store")
                        .with("detail", problem.getMessage())
                        .with("next-try", Durations.print(pause)));
            }
            sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Refusal(Problem.NOT_READY, "the start was interrupted");
        }
    }

    static Access access(StoreSettings settings) {
        EtcdSettings etcd = settings.etcd();
        return new Access(
                settings.urls(),
                etcd.prefix(),
                file(etcd.ca()),
                file(etcd.cert()).map(cert -> new Access.Identity(cert, Path.of(etcd.key()))),
                file(etcd.passwordFile()).map(file -> new Access.Login(etcd.user(), firstLine(file))),
                etcd.timeout());
    }

    private static Optional<Path> file(String path) {
        return path.isBlank() ? Optional.empty() : Optional.of(Path.of(path));
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file)
                    .lines()
                    .findFirst()
                    .filter(line -> !line.isBlank())
                    .orElseThrow(() -> new Refusal(
                            Problem.BAD_INPUT, "the file " + file + " that store.etcd.password-file names is empty"));
        } catch (IOException unreadable) {
            throw new Refusal(
                    Problem.BAD_INPUT,
                    "the file " + file + " that store.etcd.password-file names cannot be read: "
                            + unreadable.getMessage());
        }
    }
}
