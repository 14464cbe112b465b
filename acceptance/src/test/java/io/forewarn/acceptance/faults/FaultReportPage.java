package io.forewarn.acceptance.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The page that keeps the figures of the last of many rounds. */
public final class FaultReportPage {
    private FaultReportPage() {}

    /**
     * @param head what was run, and what would be wrong
     * @param startedNanos when it began
     * @param rows of the table of figures
     * @param faults told one by one below the table
     */
    public static void write(Path page, String head, long seed, long startedNanos, String rows, List<String> faults)
            throws IOException {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        String run = "Last run: " + LocalDate.now() + ", seed " + seed + ", " + seconds + " s, "
                + Runtime.getRuntime().availableProcessors() + " processors, Java "
                + Runtime.version().feature() + ".";
        String list = faults.isEmpty() ? "" : "\n- " + String.join("\n- ", faults) + "\n";
        Files.writeString(page, head + "\n\n" + run + "\n\n| what | how many |\n|---|---|\n" + rows + list);
    }

    /** A row of the table. */
    public static String row(String what, long count) {
        return "| " + what + " | " + count + " |\n";
    }

    public static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
