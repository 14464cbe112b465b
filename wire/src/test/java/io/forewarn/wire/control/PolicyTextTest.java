package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventType;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTextTest {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sat,sun 01:00 4h Europe/Berlin  | sat,sun 01:00 4h Europe/Berlin
                    SUN,Sat 01:00 4h Europe/Berlin  | sat,sun 01:00 4h Europe/Berlin
                    mon-wed,fri 22:30 90m           | mon,tue,wed,fri 22:30 1h30m UTC
                    sat-mon 00:00 7d +02:00         | mon,sat,sun 00:00 7d +02:00
                    daily 23:59:59 1s UTC           | daily 23:59:59 1s UTC
                    Friday,sunday 9:00 1w UTC       | fri,sun 09:00 7d UTC
                    tues-thursday 02:00 4h UTC      | tue,wed,thu 02:00 4h UTC
                    """)
    void aWindowIsReadAndWritten(String typed, String written) {
        assertEquals(written, PolicyText.window(PolicyText.window(typed, UTC)));
        assertEquals(PolicyText.window(typed, UTC), PolicyText.window(written, UTC));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2026-12-24..2026-12-27               | 2026-12-24..2026-12-27 UTC
                    2026-12-24                           | 2026-12-24..2026-12-24 UTC
                    2026-12-24..2026-12-27 Asia/Kolkata  | 2026-12-24..2026-12-27 Asia/Kolkata
                    2026-12-24 18:00..2027-01-02 06:00 Europe/Berlin | 2026-12-24 18:00..2027-01-02 06:00 Europe/Berlin
                    2026-12-24T18:00 .. 2027-01-02T6:00  | 2026-12-24 18:00..2027-01-02 06:00 UTC
                    2026-12-24 18:00..2026-12-26         | 2026-12-24 18:00..2026-12-26 UTC
                    2026-12-24..2026-12-24 06:30 UTC     | 2026-12-24..2026-12-24 06:30 UTC
                    2026-12-24 00:00..2026-12-26 00:00   | 2026-12-24..2026-12-25 UTC
                    """)
    void aBlackoutIsReadAndWritten(String typed, String written) {
        assertEquals(written, PolicyText.blackout(PolicyText.blackout(typed, UTC)));
        assertEquals(PolicyText.blackout(typed, UTC), PolicyText.blackout(written, BERLIN));
    }

    @Test
    void aWindowOrABlackoutWithoutAZoneTakesTheZoneOfTheSettings() {
        assertEquals("sat 01:00 4h Europe/Berlin", PolicyText.window(PolicyText.window("sat 01:00 4h", BERLIN)));
        assertEquals(
                "2026-12-24..2026-12-27 Europe/Berlin",
                PolicyText.blackout(PolicyText.blackout("2026-12-24..2026-12-27", BERLIN)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                               | is not a window
                    sat 01:00                        | is not a window
                    someday 01:00 4h UTC             | is not a day
                    sat- 01:00 4h UTC                | is not a day
                    sat 25:00 4h UTC                 | is not a time of day
                    sat 01:00 long UTC               | the length of a window
                    sat 01:00 0s UTC                 | must have a length
                    sat 01:00 8d UTC                 | at most 7d
                    sat 01:00 4h Europe/Berlon       | did you mean Europe/Berlin?
                    sat 01:00 4h Mars/Olympus_Mons_1 | there is no time zone
                    """)
    void aWindowThatMakesNoSenseIsRefusedWithTheReason(String typed, String reason) {
        refused(reason, () -> PolicyText.window(typed, UTC));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2026-12-27..2026-12-24            | ends before it begins
                    2026-02-30..2026-03-01            | is not a range of days
                    christmas                         | is not a range of days
                    2026-12-24..2026-12-27 Nowhere    | there is no time zone
                    2026-12-24..2026-12-27 UTC please | is not a blackout
                    2026-12-24 18:00                  | has no end
                    2026-12-24 UTC..2026-12-27        | is not a blackout
                    2026-12-24 25:00..2026-12-27      | is not a time of day
                    2026-12-24 18:00..2026-12-24 18:00 | ends before it begins
                    2026-12-24 18:00:30..2026-12-25   | to the minute
                    1969-12-24 18:00..2026-12-25      | is not between
                    """)
    void aBlackoutThatMakesNoSenseIsRefusedWithTheReason(String typed, String reason) {
        refused(reason, () -> PolicyText.blackout(typed, UTC));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "most", "1.5", ""})
    void anApprovalRuleThatMakesNoSenseIsRefused(String typed) {
        refused("any, all", () -> PolicyText.voting(typed));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "x2h", "3x", "3xlong", "0x2h", "3x0s", "101x1h", "1x91d", "-3x2h"})
    void anAllowanceThatMakesNoSenseIsRefused(String typed) {
        assertThrows(RefusedException.class, () -> PolicyText.allowance(typed));
    }

    @Test
    void aPolicyIsTheSameAfterItsBody() {
        Scope scope = new Scope("default", "web", EventType.REBOOT);
        PolicyBody body = new PolicyBody(
                "default",
                "web",
                "reboot",
                "30m",
                true,
                false,
                "2",
                List.of("sat,sun 01:00 4h Europe/Berlin"),
                List.of("2026-12-24..2026-12-27 UTC"),
                "3x2h",
                "none",
                true,
                null,
                "1h",
                null);
        assertEquals(body, PolicyBody.of(body.policy(scope, UTC)));
        assertEquals(Policy.of(scope), PolicyBody.of(Policy.of(scope)).policy(scope, UTC));
    }

    private static void refused(String reason, org.junit.jupiter.api.function.Executable made) {
        String sentence = assertThrows(RefusedException.class, made).getMessage();
        assertTrue(sentence.contains(reason), sentence);
    }
}
