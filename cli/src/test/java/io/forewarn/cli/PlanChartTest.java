package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PlanBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PlanChartTest {
    private static final Instant NOON = Instant.parse("2040-01-02T12:00:00Z");

    @Test
    void eachUnitIsALineOverTime() {
        List<String> lines =
                PlanChart.of(plan(List.of(step("default/web#0", 0, 10, 20), step("default/web#1", 20, 30, 40))), 80);
        assertEquals(
                List.of(
                        "UNIT   MACHINES  STARTS BY             2040-01-02T12:00:00Z                +40m",
                        "web#0  2         2040-01-02T12:10:00Z  ··········##########",
                        "web#1  2         2040-01-02T12:30:00Z                      ··········##########",
                        "                                       · scheduled  # down"),
                lines);
    }

    @Test
    void hostsNameTheirGroupsAndTenantsOtherThanTheDefault() {
        List<String> lines = PlanChart.of(plan(List.of(step("host-1", 0, 10, 20))), 100);
        assertTrue(lines.get(0).startsWith("UNIT    GROUPS      MACHINES"), lines.get(0));
        assertTrue(lines.get(1).startsWith("host-1  web,shop/x  2 "), lines.get(1));
    }

    @Test
    void machinesAreNamedIfTheyAreFew() {
        String two = step("host-1", 0, 10, 20).replace("}", ",\"machineNames\":[\"default/w-1\",\"shop/x-1\"]}");
        List<String> lines = PlanChart.of(plan(List.of(two)), 100);
        assertTrue(lines.get(1).startsWith("host-1  web,shop/x  w-1,shop/x-1  2040"), lines.get(1));
    }

    @Test
    void aMinuteOfAMonthIsVisibleAndNothingExceedsTheWidth() {
        List<String> lines = PlanChart.of(
                plan(List.of(step("default/web#0", 0, 1, 2), step("default/web#1", 43000, 43199, 43200))), 80);
        assertTrue(lines.get(1).endsWith("Z  #"), lines.get(1));
        assertTrue(lines.get(2).endsWith("#"), lines.get(2));
        lines.forEach(line -> assertTrue(line.length() < 80, line));
        assertTrue(lines.get(0).endsWith("+30d"), lines.get(0));
    }

    @Test
    void aLongPlanShowsSimultaneousUnitsAsOneLine() {
        List<String> steps = IntStream.range(0, 300)
                .mapToObj(i -> step("host-" + i, i / 100 * 20, i / 100 * 20 + 15, i / 100 * 20 + 20))
                .toList();
        List<String> lines = PlanChart.of(plan(steps), 120);
        assertEquals(5, lines.size(), String.join("\n", lines));
        assertTrue(lines.get(2).startsWith("host-100 and 99 more  web,shop/x  200 "), lines.get(2));
    }

    @Test
    void aPlanOfNothingHasNoPicture() {
        assertTrue(PlanChart.of(plan(List.of()), 80).isEmpty());
    }

    @Test
    void lengthsAreAsExactAsPeopleWantThem() {
        assertEquals("46d1h", DisplayNames.length("46d1h12m3s"));
        assertEquals("1h23m", DisplayNames.length("1h22m30s"));
        assertEquals("16m30s", DisplayNames.length("16m30s"));
        assertEquals("0s", DisplayNames.length(Duration.ZERO));
        assertFalse(DisplayNames.count(1, "unit").endsWith("s"));
        assertEquals("2 units", DisplayNames.count(2, "unit"));
    }

    private static PlanBody plan(List<String> steps) {
        String body = "{\"units\":" + steps.size() + ",\"groups\":2,\"machines\":2,\"blocked\":[],\"steps\":["
                + steps.stream().collect(Collectors.joining(",")) + "]}";
        try {
            return Json.answer(PlanBody.class, body.getBytes(StandardCharsets.UTF_8));
        } catch (IOException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static String step(String unit, int scheduled, int starts, int ends) {
        return "{\"unit\":\"" + unit + "\",\"scheduledAt\":\"" + at(scheduled) + "\",\"startsAt\":\"" + at(starts)
                + "\",\"endsAt\":\"" + at(ends) + "\",\"groups\":[\"default/web\",\"shop/x\"],\"machines\":2}";
    }

    private static Instant at(int minutes) {
        return NOON.plus(Duration.ofMinutes(minutes));
    }
}
