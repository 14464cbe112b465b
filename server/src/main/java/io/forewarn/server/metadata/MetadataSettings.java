package io.forewarn.server.metadata;

import io.forewarn.wire.azure.InstanceJson;
import io.forewarn.wire.azure.PreviewOptions;
import java.time.Duration;
import java.util.Set;

/**
 * Settings of the metadata endpoint. The keys of limits, times and the preview are directly in the section {@code metadata}.
 *
 * @param eventLoops number of event loops for the main metadata listener; 0 for one per processor
 * @param instance location and size that machines are shown
 * @param acceptPostWithoutHeader whether to accept approvals without the {@code Metadata} header in every api-version, for
 *     handlers that never send it; Azure answers 400 from 2017-08-01 on
 * @param hostNames names with a dot that the metadata listener accepts as {@code Host}, such as {@code
 *     metadata.example.org}; it always accepts addresses, {@code localhost} and names without a dot
 */
public record MetadataSettings(
        Limits limits,
        Times times,
        PreviewForm preview,
        int eventLoops,
        InstanceJson.Place instance,
        boolean acceptPostWithoutHeader,
        Set<String> hostNames) {
    /**
     * Limits for clients.
     *
     * @param requestsPerSecond how many requests per second one machine may send, from 1 to 100; 0 for no limit
     * @param longPollsPerMachine how many requests of one machine may be held (`Prefer: wait`) at the same time
     * @param maxBodyBytes largest body of an approval
     * @param maxHeaderBytes largest total size of a request's headers
     * @param maxRequestLineBytes largest request line
     * @param connectionsPerSource how many connections one address may have open; 0 for no limit
     */
    public record Limits(
            int requestsPerSecond,
            int longPollsPerMachine,
            int maxBodyBytes,
            int maxHeaderBytes,
            int maxRequestLineBytes,
            int connectionsPerSource) {
        /** Each takes memory for every machine that polls. */
        private static final int MOST_PER_SECOND = 100;

        public Limits {
            if (requestsPerSecond > MOST_PER_SECOND) {
                throw new IllegalArgumentException("requests-per-second must be at most " + MOST_PER_SECOND
                        + ", or 0 for no limit, not " + requestsPerSecond);
            }
            atLeast("max-body-bytes", maxBodyBytes, 1024);
            atLeast("max-header-bytes", maxHeaderBytes, 1024);
            atLeast("max-request-line-bytes", maxRequestLineBytes, 256);
        }

        private static void atLeast(String what, int value, int least) {
            if (value < least) {
                throw new IllegalArgumentException(what + " must be at least " + least + ", not " + value);
            }
        }

        Limits withRequestsPerSecond(int limit) {
            return new Limits(
                    limit,
                    longPollsPerMachine,
                    maxBodyBytes,
                    maxHeaderBytes,
                    maxRequestLineBytes,
                    connectionsPerSource);
        }

        Limits withConnectionsPerSource(int limit) {
            return new Limits(
                    requestsPerSecond, longPollsPerMachine, maxBodyBytes, maxHeaderBytes, maxRequestLineBytes, limit);
        }
    }

    /**
     * Time limits, in real time.
     *
     * @param firstCallDelay delay before answering a group's first request, the one that enables the group
     * @param maxWait longest time for which {@code Prefer: wait} holds a request
     * @param catchUpTimeout how long a cluster node waits to catch up with what a machine has seen at another node
     * @param clientTimeout how long a client may take to send one request, or to read one answer
     * @param idleTimeout how long an idle connection is kept open
     */
    public record Times(
            Duration firstCallDelay,
            Duration maxWait,
            Duration catchUpTimeout,
            Duration clientTimeout,
            Duration idleTimeout) {
        public Times {
            if (clientTimeout.toMillis() < 1 || idleTimeout.toMillis() < 1) {
                throw new IllegalArgumentException("client-timeout and idle-timeout must be positive");
            }
        }

        Times withFirstCallDelay(Duration delay) {
            return new Times(delay, maxWait, catchUpTimeout, clientTimeout, idleTimeout);
        }

        Times withTimeouts(Duration client, Duration idle) {
            return new Times(firstCallDelay, maxWait, catchUpTimeout, client, idle);
        }

        Times withCatchUp(Duration longest) {
            return new Times(firstCallDelay, maxWait, longest, clientTimeout, idleTimeout);
        }
    }

    /**
     * Variants of 2017-03-01 where Azure's page and the real preview differ: contract §2.
     *
     * @param previewDates format of NotBefore in 2017-03-01
     * @param previewUnderscore whether, in 2017-03-01, names of machines outside a cloud service begin with {@code _}
     */
    public record PreviewForm(PreviewDates previewDates, boolean previewUnderscore) {
        public PreviewOptions form() {
            return new PreviewOptions(previewDates == PreviewDates.RFC1123, previewUnderscore);
        }
    }

    /** Formats of NotBefore in 2017-03-01: contract §2. */
    public enum PreviewDates {
        /** As on Azure's page. */
        ISO8601,
        /** As in later versions. */
        RFC1123
    }

    /** As Azure behaves. */
    public static final MetadataSettings AZURE = new MetadataSettings(
            new Limits(5, 8, 64 * 1024, 8 * 1024, 4 * 1024, 1024),
            new Times(
                    Duration.ZERO,
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60)),
            new PreviewForm(PreviewDates.ISO8601, false),
            0,
            InstanceJson.Place.NOWHERE,
            false,
            Set.of());

    /** For testing event handlers: no rate limit. */
    public static final MetadataSettings TEST = AZURE.with(AZURE.limits.withRequestsPerSecond(0));

    MetadataSettings with(Limits others) {
        return new MetadataSettings(others, times, preview, eventLoops, instance, acceptPostWithoutHeader, hostNames);
    }

    MetadataSettings with(Times others) {
        return new MetadataSettings(limits, others, preview, eventLoops, instance, acceptPostWithoutHeader, hostNames);
    }

    MetadataSettings with(PreviewForm other) {
        return new MetadataSettings(limits, times, other, eventLoops, instance, acceptPostWithoutHeader, hostNames);
    }

    MetadataSettings acceptingPostWithoutHeader() {
        return new MetadataSettings(limits, times, preview, eventLoops, instance, true, hostNames);
    }

    MetadataSettings withHostNames(String... names) {
        return new MetadataSettings(
                limits, times, preview, eventLoops, instance, acceptPostWithoutHeader, Set.of(names));
    }

    int loopsOf(int processors) {
        return eventLoops == 0 ? processors : eventLoops;
    }
}
