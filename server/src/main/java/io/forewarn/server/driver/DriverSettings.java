package io.forewarn.server.driver;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How work is carried out.
 *
 * @param kind who carries it out: nobody really, or the operator's program
 * @param simulated how long simulated work takes
 * @param command the operator's program
 */
public record DriverSettings(Kind kind, Simulated simulated, Program command) {
    /** Which driver is at work. */
    public enum Kind {
        SIMULATED,
        COMMAND
    }

    /**
     * How long each kind of work takes, in service time.
     *
     * @param freeze how long a simulated pause takes
     * @param reboot how long a simulated restart takes
     * @param redeploy how long a simulated move takes
     * @param preempt how long a simulated taking away takes
     * @param terminate how long a simulated deletion takes
     * @param failure how long a simulated machine stays broken down
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
     * @param argv the program and its first arguments; the verb is appended. Never given to a shell
     * @param timeLimit for the work of one attempt
     * @param statusTimeLimit for one answer to {@code status}
     * @param statusEvery how often {@code status} is asked while it says running
     * @param concurrency how many {@code start}s may run at once; the rest wait their turn
     * @param environment which of the service's environment variables it gets besides PATH, HOME, LANG and TZ
     */
    public record Program(
            List<String> argv,
            Duration timeLimit,
            Duration statusTimeLimit,
            Duration statusEvery,
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
                            "'" + name + "' is no name of an environment variable; names alone would be right, as in"
                                    + " [LIBVIRT_DEFAULT_URI, SSH_AUTH_SOCK]");
                }
            }
            if (concurrency < 1) {
                throw new RefusedException(Problem.BAD_INPUT, "concurrency must be 1 or more");
            }
            for (Duration limit : List.of(timeLimit, statusTimeLimit, statusEvery)) {
                if (limit.isZero() || limit.isNegative()) {
                    throw new RefusedException(Problem.BAD_INPUT, "its times must be longer than nothing, as in 10m");
                }
            }
        }
    }

    public static final DriverSettings DEFAULTS =
            new DriverSettings(Kind.SIMULATED, Simulated.DEFAULTS, Program.DEFAULTS);

    /**
     * How long a machine is away, as far as its driver knows before it begins. A simulated pause takes as long as it says;
     * of the rest, and of what the operator's program does, machines are told that nobody knows.
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
