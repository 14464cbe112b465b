package io.forewarn.server.boot;

import io.forewarn.core.Actor;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.server.control.MemoryBudget;
import io.forewarn.server.control.PeerNodes;
import io.forewarn.server.forward.ForwardedCaller;
import io.forewarn.server.forward.ForwardedReply;
import io.forewarn.server.forward.ForwardedRequest;
import io.forewarn.server.settings.FleetSettings;
import io.forewarn.wire.control.DemoFleet;
import io.forewarn.wire.control.FleetReader;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Applies the fleet file that is given at startup. Whichever node starts with a file, the fleet matches it before that
 * node is ready: the writer applies its own, another node sends it to the writer, and if nothing differs nothing is
 * sent. So it does not matter how many nodes have the same file, nor which of them starts first.
 */
final class StartupFleet {
    private static final Actor ITSELF = Actor.person("serve", "");
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(10);

    private final FleetSettings given;
    private final CommandGateway gateway;
    private final MemoryBudget memory;
    private final PeerNodes peers;
    private final WriterRetry writer;
    private final LongSupplier elapsedNanos;
    private final boolean newStore;

    /** @param newStore whether the store was never changed: only then is the demo fleet created */
    StartupFleet(
            FleetSettings given,
            CommandGateway gateway,
            MemoryBudget memory,
            PeerNodes peers,
            WriterRetry writer,
            LongSupplier elapsedNanos,
            boolean newStore) {
        this.given = given;
        this.gateway = gateway;
        this.memory = memory;
        this.peers = peers;
        this.writer = writer;
        this.elapsedNanos = elapsedNanos;
        this.newStore = newStore;
    }

    /** Returns when the fleet is as given. */
    void apply() {
        if (!given.file().isBlank()) {
            Path file = Path.of(given.file());
            FleetSpec spec = read(file);
            writer.by("the writer to apply " + file, () -> apply(file, spec));
        } else if (given.demo() && newStore) {
            FleetSpec spec = given.demoFile().isBlank() ? DemoFleet.spec() : read(Path.of(given.demoFile()));
            writer.by("the demo fleet to be written", () -> demo(spec));
        }
    }

    private void demo(FleetSpec spec) {
        if (peers.writes() && gateway.view().allGroups().isEmpty()) {
            writer.settled(gateway.change(state -> FleetRules.apply(state, spec, false), ITSELF, null));
        }
    }

    /** Applying a file twice is harmless. */
    private void apply(Path file, FleetSpec spec) {
        FleetChange change = FleetRules.apply(gateway.view(), spec, given.prune());
        if (change.isEmpty()) {
            return;
        }
        if (peers.writes()) {
            mustFit(change);
            writer.settled(gateway.change(state -> FleetRules.apply(state, spec, given.prune()), ITSELF, null));
        } else {
            pass(file);
            awaitAnother(change.version());
        }
    }

    /** The fleet already matches the file, so nothing needs to be sent. */
    private void mustFit(FleetChange change) {
        try (MemoryBudget.Reservation more = memory.begin()) {
            more.add(Math.max(0, FleetRules.growth(gateway.view(), change)));
        }
    }

    private void pass(Path file) {
        ForwardedReply reply;
        try {
            ForwardedRequest asked = request(file);
            reply = writer.settled(peers.pass(asked, () -> false).toCompletableFuture());
        } catch (IOException unreadable) {
            throw unreadable(file, unreadable);
        }
        if (reply.status() != 200) {
            throw refusal(reply);
        }
    }

    /** An operator who starts a node may do everything. */
    private ForwardedRequest request(Path file) throws IOException {
        ApiToken all = new ApiToken(ITSELF.name(), ApiToken.EVERY_TENANT, Role.OPERATOR, "", Instant.EPOCH, null);
        return ForwardedRequest.ofFile(
                Route.FLEET_APPLY.method(),
                Route.FLEET_APPLY.uri(List.of(), Map.of("prune", Boolean.toString(given.prune()))),
                null,
                file,
                ForwardedRequest.digest(file),
                ForwardedCaller.of(all, "").text(),
                null);
    }

    private static RefusedException refusal(ForwardedReply reply) {
        return reply.refusal()
                .orElseGet(() -> new RefusedException(Problem.NOT_READY, "the writer answered " + reply.status()));
    }

    /** Waits until this node has applied the writer's change. */
    private void awaitAnother(long version) {
        long began = elapsedNanos.getAsLong();
        while (gateway.view().fleetVersion() == version && elapsedNanos.getAsLong() - began < LONGEST_LOOK.toNanos()) {
            writer.pause(LOOK);
        }
    }

    private static FleetSpec read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return FleetReader.read(in, NameRules.DEFAULT_TENANT);
        } catch (IOException unreadable) {
            throw unreadable(file, unreadable);
        }
    }

    private static RefusedException unreadable(Path file, IOException why) {
        String problem = why instanceof NoSuchFileException
                ? " does not exist"
                : why instanceof AccessDeniedException
                        ? " may not be read by this user"
                        : Files.isDirectory(file) ? " is a directory" : " cannot be read: " + why.getMessage();
        return new RefusedException(Problem.BAD_INPUT, "the fleet file " + file + problem);
    }
}
