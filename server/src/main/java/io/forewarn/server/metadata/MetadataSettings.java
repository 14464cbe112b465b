package io.forewarn.server.metadata;

import io.forewarn.wire.azure.InstanceJson;
import io.forewarn.wire.azure.Preview;
import java.time.Duration;

/**
 * How the metadata endpoint behaves. All durations are elapsed real time.
 *
 * @param requestsPerSecond per machine, at most 100; 0 for no limit
 * @param firstCallDelay how long the request that enables a group waits for its answer
 * @param longestWait what {@code Prefer: wait} may ask for at most
 * @param heldPerMachine how many requests of one machine may wait at the same time
 * @param bodyBytes the largest approval
 * @param headerBytes all headers of a request together
 * @param lineBytes the request line
 * @param patience how long a client may take to send one request, or to take in one answer
 * @param idle how long a connection without a request is kept
 * @param connectionsPerSource how many connections one address may hold; 0 for no limit
 * @param loops how many event loops share the main listener; 0 for one per processor
 * @param previewDates how NotBefore is written in 2017-03-01
 * @param previewUnderscore in 2017-03-01 names of machines outside a cloud service begin with {@code _}
 * @param place what machines are told of where they are
 */
public record MetadataSettings(
        int requestsPerSecond,
        Duration firstCallDelay,
        Duration longestWait,
        int heldPerMachine,
        int bodyBytes,
        int headerBytes,
        int lineBytes,
        Duration patience,
        Duration idle,
        int connectionsPerSource,
        int loops,
        PreviewDates previewDates,
        boolean previewUnderscore,
        InstanceJson.Place place) {
    /** How NotBefore is written in 2017-03-01: contract §2. */
    public enum PreviewDates {
        /** As the page prints it. */
        ISO8601,
        /** As later versions have it. */
        RFC1123
    }

    /** Each costs a place in memory for every machine that asks. */
    private static final int MOST_PER_SECOND = 100;

    /** The contract. */
    public static final MetadataSettings AZURE = new MetadataSettings(
            5,
            Duration.ZERO,
            Duration.ofMinutes(5),
            8,
            64 * 1024,
            8 * 1024,
            4 * 1024,
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            1024,
            0,
            PreviewDates.ISO8601,
            false,
            InstanceJson.Place.NOWHERE);

    /** The contract for tests of handlers: no rate limit. */
    public static final MetadataSettings TEST = AZURE.withRequestsPerSecond(0);

    public MetadataSettings {
        atLeast("heldPerMachine", heldPerMachine, 0);
        if (requestsPerSecond > MOST_PER_SECOND) {
            throw new IllegalArgumentException("requests-per-second must be at most " + MOST_PER_SECOND
                    + ", or 0 for no limit, not " + requestsPerSecond);
        }
        atLeast("bodyBytes", bodyBytes, 1024);
        atLeast("headerBytes", headerBytes, 1024);
        atLeast("lineBytes", lineBytes, 256);
        if (patience.toMillis() < 1 || idle.toMillis() < 1) {
            throw new IllegalArgumentException("patience and idle must be longer than nothing");
        }
    }

    private static void atLeast(String what, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ", not " + value);
        }
    }

    public MetadataSettings withRequestsPerSecond(int limit) {
        return new MetadataSettings(
                limit,
                firstCallDelay,
                longestWait,
                heldPerMachine,
                bodyBytes,
                headerBytes,
                lineBytes,
                patience,
                idle,
                connectionsPerSource,
                loops,
                previewDates,
                previewUnderscore,
                place);
    }

    public MetadataSettings withFirstCallDelay(Duration delay) {
        return new MetadataSettings(
                requestsPerSecond,
                delay,
                longestWait,
                heldPerMachine,
                bodyBytes,
                headerBytes,
                lineBytes,
                patience,
                idle,
                connectionsPerSource,
                loops,
                previewDates,
                previewUnderscore,
                place);
    }

    public MetadataSettings withPatience(Duration slow, Duration silent) {
        return new MetadataSettings(
                requestsPerSecond,
                firstCallDelay,
                longestWait,
                heldPerMachine,
                bodyBytes,
                headerBytes,
                lineBytes,
                slow,
                silent,
                connectionsPerSource,
                loops,
                previewDates,
                previewUnderscore,
                place);
    }

    public MetadataSettings withConnectionsPerSource(int limit) {
        return new MetadataSettings(
                requestsPerSecond,
                firstCallDelay,
                longestWait,
                heldPerMachine,
                bodyBytes,
                headerBytes,
                lineBytes,
                patience,
                idle,
                limit,
                loops,
                previewDates,
                previewUnderscore,
                place);
    }

    public MetadataSettings withPreview(PreviewDates dates, boolean underscore) {
        return new MetadataSettings(
                requestsPerSecond,
                firstCallDelay,
                longestWait,
                heldPerMachine,
                bodyBytes,
                headerBytes,
                lineBytes,
                patience,
                idle,
                connectionsPerSource,
                loops,
                dates,
                underscore,
                place);
    }

    Preview preview() {
        return new Preview(previewDates == PreviewDates.RFC1123, previewUnderscore);
    }

    int loopsOf(int processors) {
        return loops == 0 ? processors : loops;
    }
}
