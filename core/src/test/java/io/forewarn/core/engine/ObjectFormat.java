package io.forewarn.core.engine;

import io.forewarn.core.Stored;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Spells a record as a number and remembers what it stood for: enough where only the rules and the engine are looked at. */
final class ObjectFormat implements Format {
    private final List<Stored> known = new ArrayList<>();

    @Override
    public byte[] write(Stored record) {
        known.add(record);
        return ByteBuffer.allocate(Integer.BYTES).putInt(known.size() - 1).array();
    }

    @Override
    public Stored read(String key, byte[] value) {
        return known.get(ByteBuffer.wrap(value).getInt());
    }
}
