package io.forewarn.store.sqlite;

import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends StoreContract {
    @TempDir
    private Path folder;

    @Override
    protected Store open() throws Exception {
        return SqliteStore.open(folder);
    }
}
