package io.forewarn.acceptance.control;

import io.forewarn.acceptance.deploy.ServeLauncher;
import io.forewarn.acceptance.deploy.StoreChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that runs until the test is over. */
final class ServerProcess implements AutoCloseable {
    private final Program program;
    private final Process process;
    private final ServeLauncher.Addresses addresses;

    ServerProcess(Program program, String... args) throws IOException, InterruptedException {
        this.program = program;
        ServeLauncher serve = new ServeLauncher(Files.createTempDirectory(program.folder(), "serve")).with(args);
        if (StoreChoice.isEtcd() && !List.of(args).contains("--store")) {
            serve.with(StoreChoice.flags(program.folder()));
        }
        process = program.start(serve.words());
        addresses = serve.awaitReady(process, this::output);
    }

    String metadata() {
        return addresses.metadata();
    }

    String control() {
        return addresses.control();
    }

    String url() {
        return "http://" + control();
    }

    private String output() {
        try {
            return program.said(process).toString();
        } catch (IOException unreadable) {
            return "(no output)";
        }
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
