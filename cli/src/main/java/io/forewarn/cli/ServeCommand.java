package io.forewarn.cli;

import io.forewarn.core.NameRules;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.server.boot.ClassPreloader;
import io.forewarn.server.boot.LibraryLog;
import io.forewarn.server.boot.OperatorLog;
import io.forewarn.server.boot.Service;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.settings.ListenSettings;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.server.settings.LogSettings;
import io.forewarn.server.settings.Settings;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Version;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the service until it is told to stop. */
@Command(
        name = "serve",
        description = {
            "Start the service. Without arguments: metadata on 127.0.0.1:8169, control API on 127.0.0.1:8170, records in"
                    + " ./forewarn-data, and a demo fleet if the store is empty.",
            "",
            "Prints the line 'ready metadata=HOST:PORT control=HOST:PORT' to standard output once it is ready, and logs to standard error,"
                    + " one line per decision (--log-format)."
        },
        footer = {
            "",
            "Examples:",
            "  forewarn serve --fleet fleet.yaml --store sqlite:/var/lib/forewarn",
            "  forewarn serve --clock manual --profile test        for tests: you move the clock",
            "  forewarn serve --metadata 127.0.0.1:0 --control 127.0.0.1:0 --ready-file ready",
            "  forewarn serve --log-format json                    one JSON object per line, for log collectors",
            "Every setting in docs/config.md can be given in --config, FOREWARN_… variables or --set."
        })
final class ServeCommand implements Callable<Integer> {
    private static final int LAST_SECONDS = 20;

    @Spec
    private CommandSpec command;

    @Mixin
    private ServeFlags flags;

    @Option(names = "--ready-file", paramLabel = "FILE", description = "Also write the ready line to this file.")
    private Path readyFile;

    /** Begins to load what the service needs while the command line is read. */
    static void preload() {
        ClassPreloader.start();
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        if (readyFile != null) {
            OutputFile.of(readyFile); // Fail now rather than after the start if the file cannot be written.
        }
        LoadedSettings loadedSettings = flags.load(System.getenv());
        Settings settings = loadedSettings.settings();
        LogFormat format = OperatorLog.format(settings.log().format(), System.getenv());
        boolean greets = settings.log().format() == LogSettings.Form.AUTO && format == LogFormat.LOGFMT;
        OperatorLog log = new OperatorLog(
                text -> {
                    err.println(text);
                    err.flush();
                },
                format);
        loadedSettings
                .differences()
                .forEach(d -> log.write(LogLine.info("setting")
                        .with("key", d.key())
                        .with("value", d.value())
                        .with("from", d.origin())));
        warning(settings.listen())
                .ifPresent(w -> log.write(LogLine.warning("no-tls").with("detail", w)));
        ClassArchive.problem()
                .ifPresent(p -> log.write(LogLine.info("no-class-archive").with("detail", p)));
        CountDownLatch over = new CountDownLatch(1);
        Throwable[] cause = new Throwable[1];
        Consumer<Throwable> died = fault -> {
            cause[0] = fault;
            over.countDown();
        };
        ClassPreloader.await();
        LibraryLog.install(log);
        // The service cannot continue without one of its threads; a restart can.
        Thread.setDefaultUncaughtExceptionHandler((thread, fault) -> died.accept(fault));
        Service service;
        try {
            service = Service.start(loadedSettings, log, died);
        } catch (RefusedException refusal) {
            if (!greets) {
                log.write(LogLine.error("cannot-start").with("detail", refusal.getMessage()));
                log.close();
                return ExitCode.REFUSED;
            }
            log.close();
            err.println(refusal.getMessage());
            return ExitCode.REFUSED;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(service, log), "forewarn-end"));
        LogLine ready =
                LogLine.info("ready").with("metadata", service.metadata()).with("control", service.control());
        if (greets) {
            greet(service, settings, out);
        }
        // Never into a journal or a file: the link signs its bearer in.
        if (greets && Terminal.isOutput()) {
            out.println("Web console, signed in (this link works once, within five minutes): "
                    + consoleUrl(service.control(), settings.listen()) + service.signInPath());
            out.println();
        }
        announce(service, greets ? null : format.print(ready), out, log);
        log.write(LogLine.info("serving")
                .with("version", Version.text())
                .with("metadata", service.metadata())
                .with("control", service.control())
                .with("store", settings.store().location()));
        over.await();
        return gaveUp(cause[0], log);
    }

    /** With a name of this machine instead of an address that stands for all. */
    private static String consoleUrl(HostPort control, ListenSettings listen) {
        boolean all = control.host().equals("0.0.0.0") || control.host().equals("::");
        HostPort reached = all ? new HostPort("localhost", control.port()) : control;
        return (listen.tls() ? "https://" : "http://") + reached;
    }

    /** Logs an internal error with its stack trace, for the bug report. */
    static int gaveUp(Throwable cause, Log log) {
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace));
        log.write(LogLine.error("gave-up")
                .with(
                        "detail",
                        "internal error; stopping rather than deciding anything more: " + cause
                                + ". All acknowledged changes are durable; a restart continues from there")
                .with("trace", trace));
        return ExitCode.BROKEN;
    }

    /** Warns if tokens would be sent without encryption. */
    static Optional<String> warning(ListenSettings listen) {
        return listen.control().loopback() || listen.tls()
                ? Optional.empty()
                : Optional.of("the control API listens on " + listen.control()
                        + " without TLS: tokens are sent in plain text. Use --tls-cert and --tls-key.");
    }

    /** Stops the service gracefully within a time limit; acknowledged changes are durable already. */
    private static void end(Service service, OperatorLog log) {
        Thread closing = new Thread(service::close, "forewarn-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(TimeUnit.SECONDS.toMillis(LAST_SECONDS));
            log.write(closing.isAlive() ? LogLine.warning("ended-without-waiting") : LogLine.info("ended"));
            log.close();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void greet(Service service, Settings settings, PrintWriter out) {
        if (service.knows(new MachineId(NameRules.DEFAULT_TENANT, "FrontEnd_IN_0"))) {
            FirstSteps.print(service.metadata(), service.control(), settings.listen(), System.getenv(), out);
        }
    }

    /** @param spelt the ready line in the log format; null for plain text */
    private void announce(Service service, String spelt, PrintWriter out, Log log) {
        String ready = "ready metadata=" + service.metadata() + " control=" + service.control();
        out.println(spelt == null ? ready : spelt);
        out.flush();
        if (readyFile != null) {
            leave(OutputFile.of(readyFile), ready + "\n", log);
        }
    }

    /** Writes to a pipe in the background: opening one blocks until a reader opens it, which may be never. */
    private static void leave(OutputFile file, String ready, Log log) {
        Runnable writing = () -> {
            try {
                file.write(out -> out.write(ready.getBytes(StandardCharsets.UTF_8)));
            } catch (CommandRefusedException unwritable) {
                log.write(LogLine.warning("no-ready-file").with("detail", unwritable.getMessage()));
            }
        };
        if (!file.mayWait()) {
            writing.run();
            return;
        }
        Thread thread = new Thread(writing, "forewarn-ready");
        thread.setDaemon(true);
        thread.start();
    }
}
