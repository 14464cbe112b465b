package io.forewarn.server.driver;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Settings of the maintenance driver.
 *
 * @param kind who does the work: a simulation or your own program
 * @param simulated durations of simulated work
 * @param command the operator's program
 */
public record DriverSettings(Kind kind, Simulated simulated, Program command) {
    /** The available drivers. */
    public enum Kind {
        SIMULATED,
        COMMAND
    }

    /**
     * Duration of each kind of simulated work, in service time.
     *
     * @param freeze duration of a simulated pause
     * @param reboot duration of a simulated restart
     * @param redeploy duration of a simulated move
     * @param preempt duration of a simulated preemption
     * @param terminate duration of a simulated deletion
     * @param failure duration of a simulated hardware failure
     */
    public record Simulated(
            Duration freeze,
            Duration reboot,
            Duration redeploy,
            Duration preempt,
            Duration terminate,
            Duration failure) {
        public static final Simulated DEFAULTS = new Simulated(
                Duration.ofSeconds(5),
                Duration.ofSeconds(90),
                Duration.ofMinutes(3),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5));

        Duration of(Cause cause) {
            return switch (cause) {
                case RESTART, HOST_REBOOT -> reboot;
                case REDEPLOY, HOST_REDEPLOY -> redeploy;
                case TERMINATE -> terminate;
                case FREEZE, HOST_FREEZE -> freeze;
                case PREEMPT -> preempt;
                case FAILURE -> failure;
            };
        }
    }

    /**
     * The operator's program. Its limits are elapsed real time.
     *
     * @param argv the program and its first arguments, run without a shell; the verb is appended
     * @param timeout time limit for one attempt at the work
     * @param statusTimeout time limit for one answer to {@code status}
     * @param statusInterval interval between {@code status} calls while the program answers {@code running}
     * @param concurrency how many {@code start} calls may run at once; others are queued
     * @param environment environment variables of the service that the program gets in addition to PATH, HOME, LANG
     *     and TZ
     */
    public record Program(
            List<String> argv,
            Duration timeout,
            Duration statusTimeout,
            Duration statusInterval,
            int concurrency,
            List<String> environment) {
        public static final Program DEFAULTS = new Program(
                List.of(), Duration.ofMinutes(10), Duration.ofSeconds(30), Duration.ofSeconds(5), 8, List.of());

        public Program {
            argv = List.copyOf(argv);
            environment = List.copyOf(environment);
            for (String name : environment) {
                if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                    throw new RefusedException(
                            Problem.BAD_INPUT,
                            "'" + name
                                    + "' is not the name of an environment variable; give names without values, as in"
                                    + " [LIBVIRT_DEFAULT_URI, SSH_AUTH_SOCK]");
                }
            }
            if (concurrency < 1) {
                throw new RefusedException(Problem.BAD_INPUT, "concurrency must be 1 or more");
            }
            for (Duration limit : List.of(timeout, statusTimeout, statusInterval)) {
                if (limit.isZero() || limit.isNegative()) {
                    throw new RefusedException(Problem.BAD_INPUT, "its durations must be positive, as in 10m");
                }
            }
        }
    }

    public static final DriverSettings DEFAULTS =
            new DriverSettings(Kind.SIMULATED, Simulated.DEFAULTS, Program.DEFAULTS);

    /**
     * The expected downtime of a machine, as far as the driver knows it beforehand. A simulated pause takes its
     * configured time; for other work, and for the operator's program, the duration is unknown.
     */
    public Map<EventType, Duration> interruption() {
        return kind == Kind.SIMULATED ? Map.of(EventType.FREEZE, simulated.freeze()) : Map.of();
    }

    public DriverSettings {
        if (kind == Kind.COMMAND && command.argv().isEmpty()) {
            throw new RefusedException(Problem.BAD_INPUT, ProgramCheck.NO_PROGRAM);
        }
    }
}
