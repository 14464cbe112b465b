package io.forewarn.server.forward;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.wire.control.Json;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Receives forwarded requests at the writer: authenticates requests of other nodes by their signature, and hands their commands to the engine. Any
 * thread.
 */
public final class ForwardReceiver {
    private final RequestSigner signer;
    private final Supplier<Optional<Engine>> engine;

    public ForwardReceiver(RequestSigner signer, Supplier<Optional<Engine>> engine) {
        this.signer = signer;
        this.engine = engine;
    }

    /**
     * Checks the signature before any of the body is read, and returns what it covers.
     *
     * @param header returns a header by its name
     * @throws RefusedException if it was not signed by a node of this cluster
     */
    public VouchedRequest check(String method, String uri, UnaryOperator<String> header) {
        return signer.check(method, uri, header);
    }

    /** Has the engine decide one command of a machine. Completed by the writer's thread. */
    public CompletableFuture<CommandResult> command(byte[] message) {
        return decide(writing(), Json.message(ForwardedCommand.class, message));
    }

    /** Processes the reports of another node. One that is invalid here does not affect the others. */
    public void reports(byte[] message) {
        Engine writing = writing();
        ForwardedReports reports = Json.message(ForwardedReports.class, message);
        reports.polls()
                .forEach(poll -> writing.view().polledElsewhere(poll.machineId(), poll.millis(), poll.apiVersion()));
        reports.commands().forEach(report -> decide(writing, report));
    }

    private Engine writing() {
        return engine.get().orElseThrow(() -> new NotDoneException("this node is no longer the writer"));
    }

    private static CompletableFuture<CommandResult> decide(Engine engine, ForwardedCommand forwarded) {
        Command command;
        try {
            command = forwarded.command();
        } catch (RuntimeException newer) {
            return refused(Problem.NOT_READY, "the writer does not understand this: " + newer.getMessage());
        }
        // A machine admitted at another node may have been removed from the fleet since.
        if (!(command instanceof Command.Denied) && !forwarded.fitsWithin(engine.view())) {
            return refused(Problem.FORBIDDEN, "Forbidden");
        }
        if (command instanceof Command.Sight sight) {
            engine.sighted(sight);
            return CompletableFuture.completedFuture(CommandResult.NOTHING);
        }
        if (command instanceof Command.Denied denied) {
            engine.denied(denied.asked(), new RefusedException(denied.problem(), denied.reason()), denied.actor());
            return CompletableFuture.completedFuture(CommandResult.NOTHING);
        }
        return engine.submit(command);
    }

    private static CompletableFuture<CommandResult> refused(Problem problem, String sentence) {
        return CompletableFuture.failedFuture(new RefusedException(problem, sentence));
    }
}
