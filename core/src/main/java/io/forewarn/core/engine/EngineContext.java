package io.forewarn.core.engine;

import java.util.function.LongSupplier;

/**
 * Everything the engine reaches of the outside.
 *
 * @param clock service time
 * @param elapsedNanos real time that passed, for measuring and for pauses between tries
 * @param wake called from any thread when there is something to do: whoever turns the crank should turn it
 */
public record EngineContext(
        Store store,
        RecordFormat format,
        MaintenanceDriver driver,
        Clock clock,
        LongSupplier elapsedNanos,
        EngineListener journal,
        Runnable wake) {}
