package io.forewarn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The page with the table. */
final class Page {
    private Page() {}

    static String of(List<Finding> findings) throws IOException {
        StringBuilder page = new StringBuilder("""
                # How fast

                Written by `bench/run`; do not edit. Everything is measured on one machine in one run, in turn with what it is compared
                to, as ratios of medians: machines are noisy, and clients and servers share the processors here. `bench/run --quick`
                gives a first impression in two minutes and writes nothing; `bench/run NAME` measures one part (polls, tool, memory,
                visible, approvals, plans, notices, held). A benchmark is not a test: it fails no build.

                """);
        page.append("This run: ").append(machine()).append("\n\n");
        page.append("| what | target | measured | |\n|---|---|---|---|\n");
        findings.forEach(
                finding -> finding.rows().forEach(row -> page.append(row.line()).append('\n')));
        for (Finding finding : findings) {
            page.append("\n## ")
                    .append(finding.title())
                    .append("\n\n")
                    .append(finding.how())
                    .append('\n');
        }
        return page.toString();
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
                + ". Load average at its end: " + load() + ".";
    }
}
