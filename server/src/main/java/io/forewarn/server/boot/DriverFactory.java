package io.forewarn.server.boot;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.ValidationProblem;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.server.driver.CommandDriver;
import io.forewarn.server.driver.DriverSettings;
import io.forewarn.server.driver.SimulatedDriver;
import io.forewarn.server.driver.StartPermit;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Creates the configured driver. It exists before the engine, so that early reports must be repeated. */
final class DriverFactory implements AutoCloseable {
    private final AtomicReference<Engine> engine = new AtomicReference<>();
    private final SimulatedDriver simulated;
    private final CommandDriver command;

    /** @param permit whether work may be started now, and until when */
    DriverFactory(DriverSettings settings, Supplier<StartPermit> permit) {
        boolean simulates = settings.kind() == DriverSettings.Kind.SIMULATED;
        simulated = new SimulatedDriver(settings.simulated(), this::tell, System::nanoTime);
        command =
                simulates ? null : checked(new CommandDriver(settings.command(), this::tell, System::nanoTime, permit));
    }

    private static CommandDriver checked(CommandDriver driver) {
        if (!driver.check().isEmpty()) {
            driver.close();
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    driver.check().stream().map(ValidationProblem::toString).collect(Collectors.joining("\n")));
        }
        return driver;
    }

    private CompletableFuture<CommandResult> tell(Command report) {
        Engine listening = engine.get();
        return listening == null
                ? CompletableFuture.failedFuture(new RefusedException(Problem.NOT_READY, "the service is starting"))
                : listening.submit(report);
    }

    /** @param opened null when another node is the writer; from the engine's thread */
    void serve(Engine opened) {
        engine.set(opened);
        if (opened == null) {
            simulated.letGo();
            if (command != null) {
                command.letGo();
            }
        }
    }

    /** A rehearsal is always simulated. */
    MaintenanceDriver driver() {
        return command == null ? simulated : new Routed();
    }

    Optional<SimulatedDriver> simulated() {
        return Optional.of(simulated);
    }

    private final class Routed implements MaintenanceDriver {
        @Override
        public void start(DriverTask task) {
            of(task).start(task);
        }

        @Override
        public void status(DriverTask task) {
            of(task).status(task);
        }

        @Override
        public Optional<Duration> expected(Cause cause, boolean rehearsal, Duration given) {
            return (rehearsal ? simulated : command).expected(cause, rehearsal, given);
        }

        private MaintenanceDriver of(DriverTask task) {
            return task.event().work().rehearsal() ? simulated : command;
        }
    }

    @Override
    public void close() {
        if (command != null) {
            command.close();
        }
    }
}
