package io.forewarn.core.engine;

import java.util.function.LongSupplier;

/**
 * Everything the engine uses from outside.
 *
 * @param clock service time
 * @param elapsedNanos monotonic time, for measuring and for pauses between attempts
 * @param wake called from any thread when there is work; the writer's thread should then call {@link Engine#turn}
 */
public record EngineContext(
        Store store,
        RecordFormat format,
        MaintenanceDriver driver,
        Clock clock,
        LongSupplier elapsedNanos,
        EngineListener listener,
        Runnable wake) {}
