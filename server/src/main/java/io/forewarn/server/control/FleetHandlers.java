package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.Role;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.MemoryEstimate;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.NotFound;
import io.forewarn.core.rules.OwnerLimits;
import io.forewarn.core.rules.StateReader;
import io.forewarn.server.forward.ForwardedRequest;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.FleetReader;
import io.forewarn.wire.control.FleetWriter;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.TemporaryFiles;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.FileSystem;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** Handles changes of the fleet and fleet files. */
final class FleetHandlers {
    private static final String NEW = "new";
    private static final String EXISTING = "existing";
    static final String IF_NONE_MATCH = "If-None-Match";

    private final Vertx vertx;
    private final CommandGateway gateway;
    private final ServiceInfo facts;
    private final FleetIntake intake;
    private final RequestMemory memory;

    FleetHandlers(Vertx vertx, CommandGateway gateway, ServiceInfo facts, FleetIntake intake, RequestMemory memory) {
        this.memory = memory;
        this.intake = intake;
        this.vertx = vertx;
        this.gateway = gateway;
        this.facts = facts;
    }

    private record Read(FleetSpec spec, byte[] digest) {}

    /**
     * Any fleet file goes to disk first and is read from there.
     *
     * @param vouched the digest signed by the forwarding node; null if it was not forwarded
     */
    void apply(RequestContext call, String vouched) {
        boolean prune = call.truth("prune", false);
        boolean dry = call.truth("dry-run", false);
        Runnable release = intake.admit(call.caller());
        MemoryBudget.Reservation memory = intake.memory().begin();
        receive(call)
                .compose(path -> call.work(() -> read(path, call, vouched, memory))
                        .eventually(() -> vertx.fileSystem().delete(path.toString())))
                .compose(read -> {
                    call.mustStillBeAdmitted();
                    Function<StateReader, FleetChange> plan = plan(call, state -> read.spec, prune);
                    return dry ? preview(call, plan) : change(call, plan, call.once(read.digest));
                })
                .onFailure(call::refuse)
                .onComplete(over -> {
                    memory.close();
                    release.run();
                });
    }

    private Function<StateReader, FleetChange> plan(
            RequestContext call, Function<StateReader, FleetSpec> wanted, boolean prune) {
        OwnerLimits limits = call.caller().token().role() == Role.OPERATOR
                ? null
                : gateway.rules().owners();
        return state -> FleetRules.apply(state, wanted.apply(state), prune, call.caller()::maySee, limits);
    }

    /** Stores a file within this node's own limit to forward it; it is deleted when the step ends. */
    <T> Future<T> pass(RequestContext call, BiFunction<Path, String, Future<T>> step) {
        Runnable release = intake.admit(call.caller());
        return receive(call)
                .compose(path -> call.work(() -> ForwardedRequest.digest(path))
                        .compose(digest -> step.apply(path, digest))
                        .eventually(() -> vertx.fileSystem().delete(path.toString())))
                .onComplete(over -> release.run());
    }

    private Future<Path> receive(RequestContext call) {
        HttpServerRequest request = call.request();
        long largest = intake.largest(call.caller());
        if (announced(request) > largest) {
            return Future.failedFuture(tooLarge(largest));
        }
        Promise<Path> whole = Promise.promise();
        // At once: a caller may disconnect before there is a file.
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            request.response().writeContinue();
        }
        request.exceptionHandler(broken -> whole.tryFail(
                        new RefusedException(Problem.BAD_INPUT, "the fleet file was cut off: " + broken.getMessage())))
                .pause();
        FileSystem files = vertx.fileSystem();
        temporary(files).onFailure(whole::tryFail).onSuccess(path -> files.open(path, new OpenOptions().setWrite(true))
                .onFailure(whole::tryFail)
                .onSuccess(file -> {
                    whole.future().onFailure(gone -> file.close().onComplete(closed -> files.delete(path)));
                    receive(request, largest, file, Path.of(path), whole);
                }));
        return whole.future();
    }

    private static Future<String> temporary(FileSystem files) {
        try {
            return files.createTempFile(TemporaryFiles.prefix() + "fleet", ".part");
        } catch (IOException full) {
            return Future.failedFuture(full);
        }
    }

    private static long announced(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        return length != null && length.matches("\\d{1,18}") ? Long.parseLong(length) : 0;
    }

    private static RefusedException tooLarge(long largest) {
        return new RefusedException(
                Problem.TOO_LARGE, "the fleet file is larger than " + largest + " bytes; apply it in parts");
    }

    static void receive(HttpServerRequest request, long largest, AsyncFile file, Path path, Promise<Path> whole) {
        AtomicReference<Future<?>> written = new AtomicReference<>(Future.succeededFuture());
        request.handler(part -> {
            if (whole.future().isComplete()) {
                return;
            }
            if (file.getWritePos() + part.length() > largest) {
                request.pause();
                whole.tryFail(tooLarge(largest));
                return;
            }
            written.set(Future.join(written.get(), file.write(part)));
            if (file.writeQueueFull()) {
                request.pause();
                file.drainHandler(v -> request.resume());
            }
        });
        request.endHandler(v -> {
            if (!whole.future().isComplete()) {
                // An incomplete file must not be applied: half a fleet file may be a valid fleet file.
                written.get()
                        .compose(all -> file.end())
                        .onSuccess(x -> whole.tryComplete(path))
                        .onFailure(lost -> whole.tryFail(notKept(lost)));
            }
        });
        request.resume();
    }

    private static RefusedException notKept(Throwable lost) {
        return new RefusedException(
                Problem.STORE_UNAVAILABLE, "the fleet file could not be stored: " + lost.getMessage());
    }

    private Read read(Path path, RequestContext call, String vouched, MemoryBudget.Reservation memory)
            throws IOException {
        if (vouched != null) {
            ControlServer.mustBe(vouched, ForwardedRequest.digest(path));
        }
        Caller caller = call.caller();
        MessageDigest digest = Secrets.sha256();
        try (InputStream file = new AbandonableStream(Files.newInputStream(path), call::isOver);
                InputStream in = new DigestInputStream(file, digest)) {
            FleetSpec spec = FleetReader.read(in, caller.tenant(), kept(caller, memory), this::known);
            Stream.concat(
                            spec.groups().stream().map(g -> g.id().tenant()),
                            spec.machines().stream().map(m -> m.id().tenant()))
                    .distinct()
                    .forEach(caller::mustOpen);
            spec.machines().forEach(machine -> checkListener(caller, machine));
            return new Read(spec, digest.digest());
        }
    }

    /** Most machines of most files are there already: their names are not kept twice. */
    private MachineId known(MachineId id) {
        MachineView machine = gateway.view().find(id);
        return machine == null ? id : machine.machine().id();
    }

    /**
     * Everything in an owner's file exists afterwards, so that a file beyond the owner's quota need not be read to its
     * end.
     */
    private LongConsumer kept(Caller caller, MemoryBudget.Reservation memory) {
        if (caller.token().role() == Role.OPERATOR) {
            return memory::add;
        }
        long most = most(caller.tenant(), Quota.MACHINES) + most(caller.tenant(), Quota.GROUPS);
        AtomicLong named = new AtomicLong();
        return bytes -> {
            if (named.incrementAndGet() > most) {
                throw new RefusedException(
                        Problem.LIMIT_EXCEEDED,
                        "the fleet file contains more than " + most
                                + " machines and groups, more than owners of tenant " + caller.tenant() + " may have");
            }
            memory.add(bytes);
        };
    }

    private long most(String tenant, Quota quota) {
        PublishedState published = gateway.view();
        return Math.max(published.used(tenant, quota), gateway.rules().owners().quota(published, tenant, quota));
    }

    void putGroup(RequestContext call) {
        GroupId id = lookup(call).groupId(call.part(0));
        FleetSpec spec = one("group", id.tenant(), id.name(), call);
        if (!spec.groups().get(0).id().equals(id)) {
            throw new RefusedException(Problem.BAD_INPUT, "the path and the body have different tenants");
        }
        put(call, spec, state -> spec);
    }

    void putMachine(RequestContext call) {
        MachineId id = lookup(call).machineId(call.part(0));
        FleetSpec spec = one("machine", id.tenant(), id.name(), call);
        if (!spec.machines().get(0).id().equals(id)) {
            throw new RefusedException(Problem.BAD_INPUT, "the path and the body have different tenants");
        }
        String only = only(call);
        put(
                call,
                spec,
                only == null
                        ? state -> spec
                        : only.equals(NEW) ? state -> mustBeNew(state, id, spec) : partly(call, id, spec));
    }

    /** Whether the machine must be new or must exist; null for either. */
    private static String only(RequestContext call) {
        String given = call.query("only");
        if (given == null) {
            return "*".equals(call.request().getHeader(IF_NONE_MATCH)) ? NEW : null;
        }
        if (!given.equals(NEW) && !given.equals(EXISTING)) {
            throw new RefusedException(Problem.BAD_INPUT, "only must be new or existing, not '" + given + "'");
        }
        return given;
    }

    private static FleetSpec mustBeNew(StateReader state, MachineId id, FleetSpec spec) {
        if (state.machine(id).isPresent()) {
            throw new RefusedException(
                    Problem.CONFLICT, "there is already a machine " + id + "; use 'forewarn vm set' to change it");
        }
        return spec;
    }

    private static Function<StateReader, FleetSpec> partly(RequestContext call, MachineId id, FleetSpec spec) {
        Set<String> named = Json.members(call.body());
        return state -> {
            Machine now = state.machine(id).orElseThrow(() -> NotFound.machine(state, id));
            return new FleetSpec(
                    spec.groups(), List.of(MachineChange.of(spec.machines().get(0), named, now)));
        };
    }

    private static FleetSpec one(String kind, String tenant, String name, RequestContext call) {
        try {
            return FleetReader.readOne(kind, tenant, name, call.body());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A listener occupies a port of the server's own machine, which belongs to no tenant. */
    private void checkListener(Caller caller, FleetSpec.MachineSpec machine) {
        MachineView now = gateway.view().find(machine.id());
        if (machine.listen().isEmpty() || now != null && now.machine().listen().equals(machine.listen())) {
            return;
        }
        caller.mustOperate("the listener " + machine.listen() + " for " + machine.id());
        HostPort wanted = HostPort.parse(machine.listen())
                .filter(HostPort::literal)
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT,
                        "the listener '" + machine.listen() + "' of " + machine.id()
                                + " must be ADDRESS:PORT, such as 127.0.0.1:9001"));
        if (facts.addresses().stream().anyMatch(wanted::meets)) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "the listener " + machine.listen() + " of " + machine.id()
                            + " is where the service itself listens; give it another port");
        }
    }

    /** @param wanted what {@code spec} means for the present fleet */
    private void put(RequestContext call, FleetSpec spec, Function<StateReader, FleetSpec> wanted) {
        spec.machines().forEach(machine -> checkListener(call.caller(), machine));
        MemoryBudget.Reservation memory = intake.memory().begin();
        for (FleetSpec.MachineSpec machine : spec.machines()) {
            MachineView now = gateway.view().find(machine.id());
            long taken = now == null ? 0 : MemoryEstimate.of(now.machine());
            memory.add(Math.max(0, MemoryEstimate.of(machine) - taken));
        }
        for (FleetSpec.GroupSpec group : spec.groups()) {
            memory.add(gateway.view().group(group.id()).isPresent() ? 0 : MemoryEstimate.of(group));
        }
        change(call, plan(call, wanted, false), call.once())
                .onFailure(call::refuse)
                .onComplete(over -> memory.close());
    }

    void removeGroup(RequestContext call) {
        GroupId id = lookup(call).maybeGroup(call.part(0));
        change(call, state -> FleetRules.remove(state, id), call.once()).onFailure(call::refuse);
    }

    void removeMachine(RequestContext call) {
        MachineId id = lookup(call).maybeMachine(call.part(0));
        change(call, state -> FleetRules.remove(state, List.of(id)), call.once())
                .onFailure(call::refuse);
    }

    /**
     * Computed on a worker, because a big fleet takes time.
     *
     * @return completes when the writer has decided; fails if it was never asked, and the caller must be answered
     */
    private Future<Void> change(RequestContext call, Function<StateReader, FleetChange> plan, Once once) {
        // If the fleet changes meanwhile, it is computed again: the last result counts.
        AtomicReference<FleetDifference> difference = new AtomicReference<>();
        FirstAnswer first = memory.keep(once, FirstAnswer.class, FirstAnswer::new);
        Function<StateReader, FleetChange> told = state -> {
            FleetChange change = plan.apply(state);
            difference.set(FleetDifference.of(state, change));
            return change;
        };
        return call.work(() -> gateway.change(told, call.caller().actor(), once))
                .compose(asked -> {
                    call.afterLong(asked, result -> first.outcome(result, difference.get()));
                    return Future.fromCompletionStage(asked).transform(decided -> Future.succeededFuture());
                });
    }

    /** Names to a repeated request what the first one changed, as long as this process knows it. */
    private static final class FirstAnswer {
        private volatile FleetDifference known = new FleetDifference();

        CommandResultBody outcome(CommandResult result, FleetDifference difference) {
            if (!result.repeated() && difference.isShort()) {
                known = difference;
            }
            return (result.repeated() ? known : difference).outcome(result.changes());
        }
    }

    /** Returns what a change would do, without making it. */
    private Future<Void> preview(RequestContext call, Function<StateReader, FleetChange> plan) {
        return call.work(() -> {
                    PublishedState published = gateway.view();
                    FleetChange change = plan.apply(published);
                    return FleetDifference.of(published, change).outcome(change.touched());
                })
                .map(outcome -> {
                    call.json(outcome);
                    return null;
                });
    }

    private NameLookup lookup(RequestContext call) {
        return new NameLookup(gateway.view(), call.caller(), call.query("tenant"));
    }

    void export(RequestContext call) {
        String word = Objects.requireNonNullElse(call.query("format"), "yaml");
        FleetWriter.Style style = EnumNames.parse(FleetWriter.Style.class, word)
                .orElseThrow(() ->
                        new RefusedException(Problem.BAD_INPUT, "format must be yaml or jsonl, not '" + word + "'"));
        String tenant = call.query("tenant");
        if (tenant != null) {
            call.caller().mustOpen(tenant);
        }
        String type = style == FleetWriter.Style.YAML ? "application/yaml" : "application/jsonl";
        call.streaming(type, out -> {
            PublishedState published = gateway.view();
            List<GroupView> groups = published.allGroups().stream()
                    .filter(g -> g.group() != null)
                    .filter(g -> call.caller().maySee(g.id().tenant()))
                    .filter(g -> tenant == null || tenant.equals(g.id().tenant()))
                    .sorted((a, b) -> a.id().compareTo(b.id()))
                    .toList();
            Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            FleetWriter writer = new FleetWriter(text, style);
            for (GroupView group : groups) {
                if (!FleetWriter.implied(group.group(), group.machines())) {
                    writer.group(group.group());
                }
            }
            for (GroupView group : groups) {
                List<Machine> machines = group.machines();
                boolean alone = FleetWriter.implied(group.group(), machines);
                for (Machine machine : machines) {
                    writer.machine(machine, alone);
                }
            }
            text.flush();
        });
    }
}
