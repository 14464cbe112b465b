package io.forewarn.server.notification;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;

/**
 * Settings of notifications.
 *
 * @param allowedTargets private, loopback or link-local networks, such as 10.1.0.0/16, that webhooks may be sent to
 * @param source the source attribute of CloudEvents; use different values if several services notify the same receiver
 * @param timeout time limit for one attempt, from name resolution to the answer
 * @param maxAttempts attempts before a notification becomes a dead letter
 * @param initialRetryDelay delay between the first two attempts; it doubles after each attempt
 * @param maxRetryDelay longest delay between two attempts
 * @param dailyDigest when daily digests are sent, in the zone of the subscription
 * @param smtp mail server
 */
public record NotificationSettings(
        List<String> allowedTargets,
        String source,
        Duration timeout,
        int maxAttempts,
        Duration initialRetryDelay,
        Duration maxRetryDelay,
        String dailyDigest,
        Smtp smtp) {
    public enum Tls {
        NONE,
        STARTTLS,
        TLS
    }

    /**
     * Settings of the mail server.
     *
     * @param host host name of the mail server; blank if no mail is to be sent
     * @param port port of the mail server
     * @param tls {@code starttls} switches to TLS after connecting and fails if that is impossible; {@code tls} uses TLS
     *     from the start
     * @param user user name for the mail server; blank for no authentication
     * @param passwordFile file with that user's password, which is read again for each mail
     * @param from sender address
     */
    public record Smtp(String host, int port, Tls tls, String user, String passwordFile, String from) {
        static final Smtp DEFAULTS = new Smtp("", 587, Tls.STARTTLS, "", "", "");

        public Smtp {
            if (!host.isBlank() && !MailAddress.valid(from)) {
                throw new RefusedException(
                        Problem.BAD_INPUT,
                        "from must be the sender's address, such as forewarn@example.org, not '" + from + "'");
            }
            if (user.isBlank() != passwordFile.isBlank()) {
                throw new RefusedException(
                        Problem.BAD_INPUT, "user and password-file belong together: give both or neither");
            }
            if (port < 1 || port > 65535) {
                throw new RefusedException(Problem.BAD_INPUT, "port must be 1 to 65535, not " + port);
            }
        }

        /** Whether a mail server is configured. */
        public boolean isThere() {
            return !host.isBlank();
        }
    }

    public static final NotificationSettings DEFAULTS = new NotificationSettings(
            List.of(),
            "/forewarn",
            Duration.ofSeconds(10),
            20,
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            "08:00",
            Smtp.DEFAULTS);

    public NotificationSettings {
        allowedTargets = List.copyOf(allowedTargets);
        allowedTargets.forEach(CidrBlock::parse);
        if (maxAttempts < 1) {
            throw new RefusedException(Problem.BAD_INPUT, "max-attempts must be 1 or more");
        }
        for (Duration time : List.of(timeout, initialRetryDelay, maxRetryDelay)) {
            if (time.isZero() || time.isNegative()) {
                throw new RefusedException(Problem.BAD_INPUT, "its durations must be positive, as in 10s");
            }
        }
        try {
            LocalTime.parse(dailyDigest);
        } catch (DateTimeException malformed) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "daily-digest must be a time of day, such as 08:00, not '" + dailyDigest + "'");
        }
        if (source.isBlank() || !source.matches("[\\x21-\\x7e]{1,200}")) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "source must be a URI, such as /forewarn or https://forewarn.example.org");
        }
    }
}
