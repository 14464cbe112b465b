package io.forewarn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page: a section for each part, kept until that part is measured again. */
final class ReportPage {
    private static final String INTRODUCTION = """
            # Benchmarks

            Written by `bench/run`; do not edit. Measurements on one machine are noisy, and here clients and servers share its processors. Forewarn and the program it is compared with are therefore measured alternately, and the results are ratios of medians. `bench/run --quick` gives a first impression in a few minutes and writes nothing; `bench/run NAME` measures one part and replaces its section. A benchmark is not a test: it never fails a build.

            Where a target is missed, [limits.md](limits.md) says what was tried, what the profile shows and why the limit is where it is.
            """;

    private static final Pattern SECTION = Pattern.compile("(?ms)^## (.*?)$.*?(?=^## |\\z)");

    private ReportPage() {}

    /** The page as it was, but for what was found now. */
    static String of(String before, List<Finding> findings) throws IOException {
        Map<String, String> sections = new LinkedHashMap<>();
        Matcher known = SECTION.matcher(before);
        while (known.find()) {
            sections.put(known.group(1), known.group());
        }
        for (Finding finding : findings) {
            sections.put(finding.title(), section(finding));
        }
        StringBuilder page = new StringBuilder(INTRODUCTION);
        sections.values()
                .forEach(section -> page.append('\n').append(section.strip()).append('\n'));
        return page.toString();
    }

    private static String section(Finding finding) throws IOException {
        StringBuilder section = new StringBuilder("## " + finding.title() + "\n\n");
        section.append("| what | target | measured | |\n|---|---|---|---|\n");
        finding.rows().forEach(reportRow -> section.append(reportRow.line()).append('\n'));
        section.append('\n').append(finding.how().strip()).append("\n\n");
        return section.append("Measured with ").append(machine()).append('\n').toString();
    }

    /** Of the last quarter of an hour: what else ran meanwhile shows here. */
    private static String load() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).split(" ")[2];
    }

    private static String machine() throws IOException {
        long kib = Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
        return Runtime.getRuntime().availableProcessors() + " processors, " + Math.round(kib / 1048576.0)
                + " GiB of memory, Java "
                + Runtime.version().feature() + ", "
                + Bench.version("nginx", "-v").replace("nginx version: ", "") + ", "
                + Bench.version("wrk", "-v").replaceAll("(wrk \\S+).*", "$1")
                + "; load average at the end: " + load() + ".";
    }
}
