package io.forewarn.server.metadata;

import io.forewarn.wire.azure.InstanceJson;
import io.forewarn.wire.azure.Preview;
import java.time.Duration;

/**
 * How the metadata endpoint behaves. All durations are elapsed real time.
 *
 * @param requestsPerSecond per machine; 0 for no limit
 * @param firstCallDelay how long the request that enables a group waits for its answer
 * @param longestWait what {@code Prefer: wait} may ask for at most
 * @param heldPerMachine how many requests of one machine may wait at the same time
 * @param bodyBytes the largest approval
 * @param headerBytes all headers of a request together
 * @param lineBytes the request line
 * @param patience how long a client may take to send one request, or to take in one answer
 * @param idle how long a connection without a request is kept
 * @param connectionsPerSource how many connections one address may hold; 0 for no limit
 * @param loops how many event loops share the main listener
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
        Preview preview,
        InstanceJson.Place place) {
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
            Runtime.getRuntime().availableProcessors(),
            Preview.PAGE,
            InstanceJson.Place.NOWHERE);

    /** The contract for tests of handlers: no rate limit. */
    public static final MetadataSettings TEST = AZURE.withRequestsPerSecond(0);

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
                preview,
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
                preview,
                place);
    }

    public MetadataSettings withPatience(Duration patience, Duration idle) {
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
                preview,
                place);
    }

    public MetadataSettings withPreview(Preview preview) {
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
                preview,
                place);
    }
}
