package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process we started, with what the kernel says of it and its children. Ends with us at the latest. */
public class ChildProcess implements AutoCloseable {
    private static final double MICROS_PER_TICK = 10_000; // USER_HZ is 100 on every Linux Java runs on.
    private static final Pattern USED = Pattern.compile("heap\\s+total [^\\n]*?used (\\d+)K");

    private final Process process;
    private final Thread atEnd;

    ChildProcess(List<String> command, Map<String, String> environment, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
        atEnd = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(atEnd);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** CPU time used so far, all threads, in microseconds. */
    public double cpuMicros() {
        return family().mapToDouble(ChildProcess::cpuMicros).sum();
    }

    private static double cpuMicros(long pid) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MICROS_PER_TICK;
    }

    public double residentKib() {
        return family().mapToDouble(ChildProcess::residentKib).sum();
    }

    private static double residentKib(long pid) {
        return read(Path.of("/proc", Long.toString(pid), "status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    private Stream<Long> family() {
        return Stream.concat(Stream.of(process.pid()), process.descendants().map(ProcessHandle::pid));
    }

    /** What is in use of a JVM's heap after a full collection. */
    public double heapKib() throws IOException {
        jcmd("GC.run");
        Matcher used = USED.matcher(jcmd("GC.heap_info"));
        if (!used.find()) {
            throw new IllegalStateException("jcmd says nothing about the heap");
        }
        return Double.parseDouble(used.group(1));
    }

    private String jcmd(String what) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process asked = new ProcessBuilder(jcmd, Long.toString(process.pid()), what)
                .redirectErrorStream(true)
                .start();
        return new String(asked.getInputStream().readAllBytes(), UTF_8);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
