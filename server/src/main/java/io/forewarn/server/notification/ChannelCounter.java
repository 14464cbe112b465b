package io.forewarn.server.notification;

import io.forewarn.core.notification.Channel;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts something for each channel. Any thread. */
final class ChannelCounter {
    private final Map<Channel, LongAdder> counts = new EnumMap<>(Channel.class);

    ChannelCounter() {
        for (Channel channel : Channel.values()) {
            counts.put(channel, new LongAdder());
        }
    }

    void increment(Channel channel) {
        counts.get(channel).increment();
    }

    long of(Channel channel) {
        return counts.get(channel).sum();
    }
}
