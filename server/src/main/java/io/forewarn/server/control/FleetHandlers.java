package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Desk;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.View;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Answer;
import io.forewarn.core.rules.Facts;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.wire.control.FleetReader;
import io.forewarn.wire.control.FleetWriter;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.OutcomeBody;
import io.forewarn.wire.control.Words;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.FileSystem;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Changes of the fleet, and the fleet as a file. */
final class FleetHandlers {
    private static final long LARGEST_FILE = 1L << 30;

    private final Vertx vertx;
    private final Desk desk;
    private final ServiceFacts facts;

    FleetHandlers(Vertx vertx, Desk desk, ServiceFacts facts) {
        this.vertx = vertx;
        this.desk = desk;
        this.facts = facts;
    }

    private record Read(FleetSpec spec, byte[] digest) {}

    /**
     * However big the file is, it goes to disk first and is read from there.
     *
     * @param vouched the digest that another node vouches for; null if it came by none
     */
    void apply(Call call, String vouched) {
        boolean prune = call.truth("prune", false);
        Future<Path> received = receive(call.request());
        received.compose(path -> call.work(() -> read(path, call.caller(), vouched))
                        .eventually(() -> vertx.fileSystem().delete(path.toString())))
                .onFailure(call::refuse)
                .onSuccess(read -> call.attempt(() -> {
                    call.mustStillBeAdmitted();
                    change(
                            call,
                            facts -> FleetRules.apply(facts, read.spec, prune, call.caller()::maySee),
                            call.once(read.digest));
                }));
    }

    /** For a file as big as this node would take itself; it is gone when the step is over. */
    <T> Future<T> pass(Call call, BiFunction<Path, String, Future<T>> step) {
        return receive(call.request()).compose(path -> call.work(() -> digest(path))
                .compose(digest -> step.apply(path, digest))
                .eventually(() -> vertx.fileSystem().delete(path.toString())));
    }

    /** In hex. */
    static String digest(Path path) throws IOException {
        MessageDigest digest = Secrets.sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(path), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Secrets.hex(digest.digest());
    }

    private Future<Path> receive(HttpServerRequest request) {
        Promise<Path> whole = Promise.promise();
        // At once: a caller may be gone before there is a file.
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            request.response().writeContinue();
        }
        request.exceptionHandler(broken -> whole.tryFail(
                        new Refusal(Problem.BAD_INPUT, "the fleet file broke off on its way: " + broken.getMessage())))
                .pause();
        FileSystem files = vertx.fileSystem();
        files.createTempFile("forewarn-fleet", ".part")
                .onFailure(whole::tryFail)
                .onSuccess(path -> files.open(path, new OpenOptions().setWrite(true))
                        .onFailure(whole::tryFail)
                        .onSuccess(file -> {
                            whole.future().onFailure(gone -> file.close().onComplete(closed -> files.delete(path)));
                            receive(request, file, Path.of(path), whole);
                        }));
        return whole.future();
    }

    static void receive(HttpServerRequest request, AsyncFile file, Path path, Promise<Path> whole) {
        AtomicReference<Future<?>> written = new AtomicReference<>(Future.succeededFuture());
        request.handler(part -> {
            if (whole.future().isComplete()) {
                return;
            }
            if (file.getWritePos() > LARGEST_FILE) {
                request.pause();
                whole.tryFail(new Refusal(Problem.TOO_LARGE, "the fleet file is larger than 1 GiB"));
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
                // What was not kept must not be taken for the whole: half a fleet file may well be a fleet file.
                written.get()
                        .compose(all -> file.end())
                        .onSuccess(x -> whole.tryComplete(path))
                        .onFailure(lost -> whole.tryFail(notKept(lost)));
            }
        });
        request.resume();
    }

    private static Refusal notKept(Throwable lost) {
        return new Refusal(
                Problem.STORE_DOWN, "the fleet file could not be kept while it came in: " + lost.getMessage());
    }

    private Read read(Path path, Caller caller, String vouched) throws IOException {
        if (vouched != null) {
            ControlServer.mustBe(vouched, digest(path));
        }
        try (InputStream in = Files.newInputStream(path)) {
            return read(in, caller);
        }
    }

    private Read read(InputStream bytes, Caller caller) throws IOException {
        MessageDigest digest = Secrets.sha256();
        try (InputStream in = new DigestInputStream(bytes, digest)) {
            FleetSpec spec = FleetReader.read(in, caller.tenant());
            Stream.concat(
                            spec.groups().stream().map(g -> g.id().tenant()),
                            spec.machines().stream().map(m -> m.id().tenant()))
                    .distinct()
                    .forEach(caller::mustOpen);
            spec.machines().forEach(machine -> checkListener(caller, machine));
            return new Read(spec, digest.digest());
        }
    }

    void putGroup(Call call) {
        GroupId id = lookup(call).groupId(call.part(0));
        FleetSpec spec = one("group", id.tenant(), id.name(), call);
        if (!spec.groups().get(0).id().equals(id)) {
            throw new Refusal(Problem.BAD_INPUT, "the path and the body name different tenants");
        }
        put(call, spec);
    }

    void putMachine(Call call) {
        MachineId id = lookup(call).machineId(call.part(0));
        FleetSpec spec = one("machine", id.tenant(), id.name(), call);
        if (!spec.machines().get(0).id().equals(id)) {
            throw new Refusal(Problem.BAD_INPUT, "the path and the body name different tenants");
        }
        put(call, spec);
    }

    private static FleetSpec one(String kind, String tenant, String name, Call call) {
        try {
            return FleetReader.readOne(kind, tenant, name, call.body());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A listener takes a place on the server's own machine, which belongs to no tenant. */
    private void checkListener(Caller caller, FleetSpec.MachineSpec machine) {
        MachineView now = desk.view().find(machine.id());
        if (machine.listen().isEmpty() || now != null && now.machine().listen().equals(machine.listen())) {
            return;
        }
        caller.mustOperate("the listener " + machine.listen() + " for " + machine.id());
        HostPort wanted = HostPort.parse(machine.listen())
                .filter(HostPort::literal)
                .orElseThrow(() -> new Refusal(
                        Problem.BAD_INPUT,
                        "the listener '" + machine.listen() + "' of " + machine.id()
                                + " must be ADDRESS:PORT, such as 127.0.0.1:9001"));
        if (facts.addresses().stream().anyMatch(wanted::meets)) {
            throw new Refusal(
                    Problem.CONFLICT,
                    "the listener " + machine.listen() + " of " + machine.id()
                            + " is where the service itself listens; give it another port");
        }
    }

    private void put(Call call, FleetSpec spec) {
        spec.machines().forEach(machine -> checkListener(call.caller(), machine));
        change(call, facts -> FleetRules.apply(facts, spec, false, call.caller()::maySee), call.once());
    }

    void removeGroup(Call call) {
        GroupId id = lookup(call).group(call.part(0)).id();
        change(call, facts -> FleetRules.remove(facts, id), call.once());
    }

    void removeMachine(Call call) {
        MachineId id = lookup(call).machine(call.part(0)).machine().id();
        change(call, facts -> FleetRules.remove(facts, List.of(id)), call.once());
    }

    /** Worked out on a worker: a big one takes its time. */
    private void change(Call call, Function<Facts, FleetChange> plan, Once once) {
        call.work(() -> desk.change(plan, call.caller().actor(), once))
                .onFailure(call::refuse)
                .onSuccess(asked -> call.after(asked, FleetHandlers::outcome));
    }

    private Lookup lookup(Call call) {
        return new Lookup(desk.view(), call.caller(), call.query("tenant"));
    }

    private static OutcomeBody outcome(Answer answer) {
        return new OutcomeBody(List.of(), answer.changes());
    }

    void export(Call call) {
        String word = Objects.requireNonNullElse(call.query("format"), "yaml");
        FleetWriter.Style style = Words.parse(FleetWriter.Style.class, word)
                .orElseThrow(() -> new Refusal(Problem.BAD_INPUT, "format must be yaml or jsonl, not '" + word + "'"));
        String tenant = call.query("tenant");
        if (tenant != null) {
            call.caller().mustOpen(tenant);
        }
        String type = style == FleetWriter.Style.YAML ? "application/yaml" : "application/jsonl";
        call.streaming(type, out -> {
            View view = desk.view();
            List<GroupView> groups = view.allGroups().stream()
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
