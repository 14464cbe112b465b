package io.forewarn.acceptance.control;

import io.forewarn.acceptance.deploy.StoreChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that runs until the test is over. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready metadata=(\\S+) control=(\\S+)\\n");

    private final Program program;
    private final Process process;
    private final String metadata;
    private final String control;

    ServerProcess(Program program, String... args) throws IOException, InterruptedException {
        this.program = program;
        Path ready = program.folder().resolve("ready-" + System.nanoTime());
        List<String> all = new ArrayList<>(List.of("serve", "--ready-file", ready.toString()));
        all.addAll(List.of(args));
        if (!all.contains("--metadata")) {
            all.addAll(List.of("--metadata", "127.0.0.1:0"));
        }
        if (!all.contains("--control")) {
            all.addAll(List.of("--control", "127.0.0.1:0"));
        }
        if (StoreChoice.isEtcd() && !all.contains("--store")) {
            all.addAll(StoreChoice.flags(program.folder()));
        }
        process = program.start(program.command(all.toArray(new String[0])));
        for (int i = 0; i < 600 && !Files.exists(ready); i++) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("serve ended: " + program.said(process));
            }
        }
        Matcher line = READY.matcher(Files.readString(ready));
        if (!line.matches()) {
            throw new AssertionError("not a ready line: " + Files.readString(ready));
        }
        metadata = line.group(1);
        control = line.group(2);
    }

    String metadata() {
        return metadata;
    }

    String control() {
        return control;
    }

    String url() {
        return "http://" + control;
    }

    Program.Run said() throws IOException {
        return program.said(process);
    }

    /** SIGTERM, and what it leaves. */
    Program.Run end() throws IOException, InterruptedException {
        process.destroy();
        return program.finish(process);
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
