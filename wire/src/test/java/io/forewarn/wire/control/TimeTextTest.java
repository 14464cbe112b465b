package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    /** A Tuesday. */
    private static final Instant NOW = Instant.parse("2026-11-17T19:30:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    now                             | 2026-11-17T19:30:00Z
                    in 2h                           | 2026-11-17T21:30:00Z
                    In 1w                           | 2026-11-24T19:30:00Z
                    in 1h 30m                       | 2026-11-17T21:00:00Z
                    fri 22:00                       | 2026-11-20T22:00:00Z
                    Friday 22:00 Europe/Berlin      | 2026-11-20T21:00:00Z
                    THURS 9:00                      | 2026-11-19T09:00:00Z
                    fri 22:00:30 +02:00             | 2026-11-20T20:00:30Z
                    tue 19:31                       | 2026-11-17T19:31:00Z
                    tue 19:30                       | 2026-11-24T19:30:00Z
                    today 23:00                     | 2026-11-17T23:00:00Z
                    tomorrow 02:00                  | 2026-11-18T02:00:00Z
                    tomorrow 02:00 Asia/Tokyo       | 2026-11-18T17:00:00Z
                    22:00                           | 2026-11-17T22:00:00Z
                    19:30                           | 2026-11-18T19:30:00Z
                    06:00 Europe/Berlin             | 2026-11-18T05:00:00Z
                    2026-11-20 22:00                | 2026-11-20T22:00:00Z
                    2026-11-20T22:00                | 2026-11-20T22:00:00Z
                    2026-11-20T22:00 Europe/Berlin  | 2026-11-20T21:00:00Z
                    2026-11-20T22:00:00Z            | 2026-11-20T22:00:00Z
                    2026-11-20T22:00+01:00          | 2026-11-20T21:00:00Z
                    2026-11-20T22:00:00.5Z          | 2026-11-20T22:00:00.500Z
                    2026-11-20T22:00+01:00[Europe/Berlin] | 2026-11-20T21:00:00Z
                    2016-01-01T00:00:00Z            | 2016-01-01T00:00:00Z
                    """)
    void aTimeIsTheNextSuchMoment(String typed, String meant) {
        assertEquals(Instant.parse(meant), TimeText.parse("until", typed, UTC, NOW));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2h                          | 2026-11-17T17:30:00Z
                    1w                          | 2026-11-10T19:30:00Z
                    1h 30m ago                  | 2026-11-17T18:00:00Z
                    now                         | 2026-11-17T19:30:00Z
                    fri 22:00                   | 2026-11-13T22:00:00Z
                    tue 19:30                   | 2026-11-17T19:30:00Z
                    tue 19:31                   | 2026-11-10T19:31:00Z
                    22:00                       | 2026-11-16T22:00:00Z
                    yesterday 22:00             | 2026-11-16T22:00:00Z
                    today 08:00                 | 2026-11-17T08:00:00Z
                    2026-11-01 08:00            | 2026-11-01T08:00:00Z
                    """)
    void aTimeInThePastIsTheLastSuchMoment(String typed, String meant) {
        assertEquals(Instant.parse(meant), TimeText.parsePast("since", typed, UTC, NOW));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                          | until must be a time such as 'fri 22:00'
                    soon                        | until must be a time such as 'fri 22:00'
                    frday 22:00                 | 'frday' is not a day; did you mean 'friday'?
                    tomorow 22:00               | did you mean 'tomorrow'?
                    fr 22:00                    | until
                    fri                         | 'fri' has no time of day; 'fri 22:00' would be right
                    2026-11-20                  | '2026-11-20' has no time of day
                    fri 24:00                   | '24:00' is not a time of day between 00:00 and 23:59
                    fri 10pm                    | '10pm' is not a time of day
                    25:00                       | '25:00' is not a time of day
                    2026-02-30 22:00            | there is no day 2026-02-30
                    fri 22:00 Europe/Berlon     | did you mean Europe/Berlin?
                    fri 22:00 UTC sharp         | 'sharp' says too much
                    in 2 hours                  | '2hours' is not a duration
                    today 08:00                 | 'today 08:00' has passed; 'tomorrow 08:00' would be right
                    yesterday 22:00             | has passed
                    2h                          | until must be a time such as 'fri 22:00'
                    now please                  | until
                    """)
    void aTimeThatMakesNoSenseIsRefusedWithWhatWouldBeRight(String typed, String reason) {
        String sentence = assertThrows(RefusedException.class, () -> TimeText.parse("until", typed, UTC, NOW))
                .getMessage();
        assertTrue(sentence.contains(reason), sentence);
    }

    @Test
    void aTimeWithoutAZoneIsInTheGivenOne() {
        assertEquals(Instant.parse("2026-11-20T21:00:00Z"), TimeText.parse("until", "fri 22:00", BERLIN, NOW));
        // In Berlin it is 20:30 already.
        assertEquals(Instant.parse("2026-11-18T19:15:00Z"), TimeText.parse("until", "20:15", BERLIN, NOW));
    }

    @Test
    void aTimeThatTheClocksSkipIsLaterByAsMuch() {
        Instant saturday = Instant.parse("2026-03-28T12:00:00Z");
        assertEquals(Instant.parse("2026-03-29T01:30:00Z"), TimeText.parse("until", "sun 02:30", BERLIN, saturday));
    }

    @Test
    void ofATimeThatOccursTwiceTheFirstCounts() {
        Instant saturday = Instant.parse("2026-10-24T12:00:00Z");
        assertEquals(Instant.parse("2026-10-25T00:30:00Z"), TimeText.parse("until", "sun 02:30", BERLIN, saturday));
        Instant between = Instant.parse("2026-10-25T00:45:00Z");
        assertEquals(Instant.parse("2026-10-26T01:30:00Z"), TimeText.parse("until", "02:30", BERLIN, between));
    }
}
