package io.forewarn.core.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.rules.OverlapScenario.Coming;
import io.forewarn.core.rules.OverlapScenario.Found;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of work that comes for a machine, and every event it can find there. */
class OverlappingWorkTest {
    static Stream<Arguments> cells() {
        return Arrays.stream(Found.values())
                .flatMap(found -> Arrays.stream(Coming.values()).map(coming -> Arguments.of(found, coming)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void newWorkIsDecidedAsTheTableSays(Found found, Coming coming) {
        assertEquals(OverlapTable.expected(found, coming), OverlapScenario.outcome(found, coming));
    }
}
