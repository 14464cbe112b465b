package io.forewarn.cli;

import io.forewarn.wire.control.PlanBody;
import io.forewarn.wire.control.PlanStepBody;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Draws a rollout plan over time: when machines get notice and when they are down. Long plans combine steps that run
 * together.
 */
final class PlanChart {
    private static final int MOST_LINES = 40;
    private static final int MOST_NAMES = 3;
    private static final int NARROWEST = 20;
    private static final String GAP = "  ";

    /** Steps that are scheduled, start and end together; in short plans a single step. */
    private record Wave(Instant scheduled, Instant starts, Instant ends, List<PlanStepBody> steps) {
        static Wave of(List<PlanStepBody> steps) {
            PlanStepBody first = steps.get(0);
            return new Wave(
                    Instant.parse(first.scheduledAt()),
                    Instant.parse(first.startsAt()),
                    Instant.parse(first.endsAt()),
                    steps);
        }

        String name() {
            PlanStepBody first = steps.get(0);
            String one = DisplayNames.whole(first.unit()) + (first.evacuation() == null ? "" : " (evacuation)");
            return steps.size() == 1 ? one : one + " and " + (steps.size() - 1) + " more";
        }

        String groups() {
            Set<String> all = new LinkedHashSet<>();
            steps.forEach(s -> s.groups().forEach(g -> all.add(DisplayNames.whole(g))));
            return all.size() > MOST_NAMES ? all.size() + " groups" : String.join(",", all);
        }

        /** Names of the machines if they are few, else their number. */
        String machines() {
            int count = steps.stream().mapToInt(PlanStepBody::machines).sum();
            List<String> names = steps.stream()
                    .filter(s -> s.machineNames() != null)
                    .flatMap(s -> s.machineNames().stream())
                    .map(DisplayNames::whole)
                    .toList();
            return count > MOST_NAMES || names.size() < count ? String.valueOf(count) : String.join(",", names);
        }
    }

    private PlanChart() {}

    static List<String> of(PlanBody plan, int columns) {
        if (plan.steps().isEmpty()) {
            return List.of();
        }
        List<Wave> waves = waves(plan.steps());
        List<String> left = left(waves);
        int width = Math.max(NARROWEST, columns - left.get(0).length() - 1);
        Instant from =
                waves.stream().map(Wave::scheduled).min(Instant::compareTo).orElseThrow();
        Instant until = waves.stream().map(Wave::ends).max(Instant::compareTo).orElse(from);
        List<String> lines = new ArrayList<>();
        lines.add(left.get(0) + axis(from, until, width));
        for (int i = 0; i < waves.size(); i++) {
            lines.add(left.get(i + 1) + drawn(waves.get(i), from, until, width));
        }
        lines.add(" ".repeat(left.get(0).length()) + "· scheduled  # down");
        return lines;
    }

    private static List<Wave> waves(List<PlanStepBody> steps) {
        if (steps.size() <= MOST_LINES) {
            return steps.stream().map(s -> Wave.of(List.of(s))).toList();
        }
        Map<List<Object>, List<PlanStepBody>> together = new LinkedHashMap<>();
        for (PlanStepBody s : steps) {
            List<Object> key = List.of(s.scheduledAt(), s.startsAt(), s.endsAt(), s.evacuation() != null);
            together.computeIfAbsent(key, k -> new ArrayList<>()).add(s);
        }
        return together.values().stream().map(Wave::of).toList();
    }

    private static List<String> left(List<Wave> waves) {
        // Units of a group carry its name, so that the groups need no column.
        boolean hosts = waves.stream().anyMatch(w -> !w.name().contains("#"));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("UNIT", hosts ? "GROUPS" : "", "MACHINES", "STARTS BY"));
        for (Wave wave : waves) {
            String starts = DisplayNames.time(wave.starts.toString());
            rows.add(List.of(wave.name(), hosts ? wave.groups() : "", wave.machines(), starts));
        }
        return columns(rows);
    }

    private static List<String> columns(List<List<String>> all) {
        List<String> lines = new ArrayList<>(Collections.nCopies(all.size(), ""));
        for (int column = 0; column < all.get(0).size(); column++) {
            int at = column;
            int wide = all.stream().mapToInt(r -> r.get(at).length()).max().orElse(0);
            for (int i = 0; i < lines.size(); i++) {
                String cell = all.get(i).get(at);
                String gap = wide == 0 ? "" : GAP;
                lines.set(i, lines.get(i) + cell + " ".repeat(wide - cell.length()) + gap);
            }
        }
        return lines;
    }

    /** Start time on the left, duration on the right. */
    private static String axis(Instant from, Instant until, int width) {
        String begin = DisplayNames.time(from.toString());
        String end = "+" + DisplayNames.length(Duration.between(from, until));
        int between = width - begin.length() - end.length();
        return between < 1 ? "+0" + " ".repeat(width - 2 - end.length()) + end : begin + " ".repeat(between) + end;
    }

    private static String drawn(Wave wave, Instant from, Instant until, int width) {
        int scheduled = at(wave.scheduled, from, until, width);
        int starts = Math.min(width - 1, at(wave.starts, from, until, width));
        // At least one character, so that a short downtime in a long plan stays visible.
        int ends = Math.max(starts + 1, at(wave.ends, from, until, width));
        return " ".repeat(Math.min(scheduled, starts))
                + "·".repeat(Math.max(0, starts - scheduled))
                + "#".repeat(ends - starts);
    }

    private static int at(Instant when, Instant from, Instant until, int width) {
        long all = Math.max(1, Duration.between(from, until).toMillis());
        return (int) (width * Duration.between(from, when).toMillis() / all);
    }
}
