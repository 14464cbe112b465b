package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventType;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sat,sun 01:00 4h Europe/Berlin  | sat,sun 01:00 4h Europe/Berlin
                    SUN,Sat 01:00 4h Europe/Berlin  | sat,sun 01:00 4h Europe/Berlin
                    mon-wed,fri 22:30 90m           | mon,tue,wed,fri 22:30 1h30m UTC
                    sat-mon 00:00 7d +02:00         | mon,sat,sun 00:00 7d +02:00
                    daily 23:59:59 1s UTC           | daily 23:59:59 1s UTC
                    """)
    void aWindowIsReadAndWritten(String typed, String written) {
        assertEquals(written, PolicyText.window(PolicyText.window(typed)));
        assertEquals(PolicyText.window(typed), PolicyText.window(written));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2026-12-24..2026-12-27               | 2026-12-24..2026-12-27 UTC
                    2026-12-24                           | 2026-12-24..2026-12-24 UTC
                    2026-12-24..2026-12-27 Asia/Kolkata  | 2026-12-24..2026-12-27 Asia/Kolkata
                    """)
    void aBlackoutIsReadAndWritten(String typed, String written) {
        assertEquals(written, PolicyText.blackout(PolicyText.blackout(typed)));
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
        refused(reason, () -> PolicyText.window(typed));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2026-12-27..2026-12-24            | ends before it begins
                    2026-02-30..2026-03-01            | is not a range of days
                    christmas                         | is not a range of days
                    2026-12-24..2026-12-27 Nowhere    | there is no time zone
                    2026-12-24..2026-12-27 UTC please | is not a blackout
                    """)
    void aBlackoutThatMakesNoSenseIsRefusedWithTheReason(String typed, String reason) {
        refused(reason, () -> PolicyText.blackout(typed));
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
                null);
        assertEquals(body, PolicyBody.of(body.policy(scope)));
        assertEquals(Policy.of(scope), PolicyBody.of(Policy.of(scope)).policy(scope));
    }

    private static void refused(String reason, org.junit.jupiter.api.function.Executable made) {
        String sentence = assertThrows(RefusedException.class, made).getMessage();
        assertTrue(sentence.contains(reason), sentence);
    }
}
