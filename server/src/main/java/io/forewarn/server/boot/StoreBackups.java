package io.forewarn.server.boot;

import io.forewarn.core.Actor;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.rules.Command;
import io.forewarn.server.settings.Settings;
import io.forewarn.server.settings.StoreSettings;
import io.forewarn.server.store.StoreCopy;
import io.forewarn.server.store.StoreFactory;
import io.forewarn.store.sqlite.StoreBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Backs a store up into one file while servers use it, and restores it from such a file while none does. */
public final class StoreBackups {
    private static final Actor OPERATOR = Actor.person("store restore", "");

    private StoreBackups() {}

    /** Writes the store, wherever it is, into a file and returns the number of its last commit. */
    public static long backup(Settings settings, Path file) {
        StoreSettings store = settings.store();
        try {
            if (!store.shared()) {
                return StoreBackup.take(store.sqlite(), file).seq();
            }
            return throughFolder(file, folder -> {
                StoreCopy.copy(store, at(store, folder));
                return StoreBackup.take(folder, file).seq();
            });
        } catch (StoreException problem) {
            throw new RefusedException(Problem.STORE_UNAVAILABLE, problem.getMessage());
        }
    }

    /**
     * Replaces the store by a backup, records in the audit log what may be lost, and returns the number of the backup's
     * last commit.
     *
     * @throws RefusedException if the store is in use, or an etcd is not empty
     */
    public static long restore(Settings settings, Path file) {
        StoreSettings store = settings.store();
        try {
            if (store.shared()) {
                return throughFolder(file, folder -> {
                    Head head = StoreBackup.restore(file, folder);
                    StoreCopy.copy(at(store, folder), store);
                    return head.seq();
                });
            }
            StoreOwner owner = StoreOwner.of(store.sqlite());
            Optional<Head> acknowledged = StoreBackup.acknowledged(store.sqlite());
            Head head = StoreBackup.restore(file, store.sqlite());
            if (acknowledged
                    .filter(last -> last.seq() > head.seq() || last.epoch() > head.epoch())
                    .isPresent()) {
                StoreLoss.accept(settings);
            } else {
                note(settings, new LostCommits(head.seq() + 1, head.seq()));
            }
            owner.keep();
            return head.seq();
        } catch (StoreException problem) {
            throw new RefusedException(Problem.STORE_UNAVAILABLE, problem.getMessage());
        }
    }

    /** What was acknowledged after the backup is not known here, but the audit log must not look complete. */
    private static void note(Settings settings, LostCommits lost) throws StoreException {
        try (Store store = StoreFactory.open(settings.store())) {
            StoreLoss.note(store, settings, new Command.NoteLoss(lost, "restored from a backup", OPERATOR));
        }
    }

    private interface Through {
        long run(Path folder) throws StoreException;
    }

    /** Gives a temporary folder beside the backup, where there is room for it. */
    private static long throughFolder(Path file, Through through) throws StoreException {
        Path beside = file.toAbsolutePath().getParent();
        try {
            Path folder = Files.createTempDirectory(beside, ".forewarn-backup-");
            try {
                return through.run(folder);
            } finally {
                remove(folder);
            }
        } catch (IOException unwritable) {
            throw new RefusedException(
                    Problem.STORE_UNAVAILABLE,
                    "the folder " + beside + " cannot be written: " + unwritable.getMessage());
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static StoreSettings at(StoreSettings store, Path folder) {
        return new StoreSettings("sqlite:" + folder, store.logRetention(), store.etcd());
    }
}
