package io.forewarn.bench;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.NameRules;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.forewarn.wire.control.FleetReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** The writer on a store that only remembers what it was given: the very rows the service writes, for bare loops to write. */
final class CapturedCommits {
    private static final Duration FAR = Duration.ofHours(12);

    private final List<Commit> commits = new ArrayList<>();
    private final NavigableMap<String, byte[]> rows = new TreeMap<>();
    private final Store.Limits limits;
    private final Engine engine;

    CapturedCommits(FleetFile fleet) throws IOException, StoreException {
        this(fleet, new Store.Limits(4096, 16 << 20));
    }

    /** @param limits of the store the rows are for */
    CapturedCommits(FleetFile fleet, Store.Limits limits) throws IOException, StoreException {
        this.limits = limits;
        ServiceTerms test = ServiceTerms.TEST;
        ServiceTerms terms = new ServiceTerms(
                test.minimumNotice(),
                test.longestTerminateNotice(),
                test.silence(),
                Integer.MAX_VALUE,
                test.recovery(),
                test.interruption());
        engine = Engine.open(
                new Engine.Settings(terms, Duration.ZERO, Duration.ofDays(90)),
                () -> new EventId(UUID.randomUUID()),
                new EngineContext(
                        new Recorder(),
                        new JsonFormat(),
                        new NoImpact(),
                        CapturedCommits::now,
                        System::nanoTime,
                        new NoJournal(),
                        () -> {}));
        try (InputStream file = Files.newInputStream(fleet.file())) {
            FleetSpec spec = FleetReader.read(file, NameRules.DEFAULT_TENANT);
            engine.change(state -> FleetRules.apply(state, spec, false), Actor.SERVICE, null);
        }
        turn();
    }

    private static ClockReading now() {
        return new ClockReading(Instant.now(), System.nanoTime());
    }

    private void turn() {
        do {
            engine.turn(now());
        } while (!engine.isIdle());
    }

    /** The commits that these commands, asked for at once, come to. */
    List<Commit> commits(List<Command> commands, List<CommandResult> answers) {
        commits.clear();
        List<CompletableFuture<CommandResult>> asked =
                commands.stream().map(engine::submit).toList();
        turn();
        asked.forEach(a -> answers.add(a.join()));
        return List.copyOf(commits);
    }

    /** Who would be hit when by a rollout that begins now. */
    RolloutPlan plan(RolloutSpec spec) {
        return engine.rules().plan(engine.view(), spec, Instant.now());
    }

    /** All that the service's store would hold by now. */
    NavigableMap<String, byte[]> rows() {
        return new TreeMap<>(rows);
    }

    static Command restart(int machine) {
        MachineId id = new MachineId(NameRules.DEFAULT_TENANT, FleetFile.machine(machine));
        return new Command.Schedule(Cause.RESTART, List.of(id), FAR, null, Actor.person("local", "127.0.0.1"));
    }

    static Command cancel(CommandResult scheduled) {
        return new Command.Cancel(scheduled.events().get(0), Actor.person("local", "127.0.0.1"));
    }

    Command approve(FleetFile fleet, int machine, CommandResult scheduled) {
        return new Command.Approve(
                new GroupId(NameRules.DEFAULT_TENANT, fleet.groupName(machine / fleet.perGroup())),
                List.of(scheduled.events().get(0)),
                Actor.machine(NameRules.DEFAULT_TENANT + "/" + FleetFile.machine(machine), FleetFile.address(machine)));
    }

    private final class Recorder implements Store {
        @Override
        public Limits limits() {
            return limits;
        }

        @Override
        public Head claim() {
            return new Head(0, 1);
        }

        @Override
        public void commit(Commit commit) {
            commits.add(commit);
            commit.deletes().forEach(rows::remove);
            rows.putAll(commit.puts());
        }

        @Override
        public Head recover() {
            throw new IllegalStateException("nothing was uncertain");
        }

        @Override
        public void skipTo(long seq) {
            throw new IllegalStateException("nothing is copied");
        }

        @Override
        public void scan(String prefix, String after, int limit, BiConsumer<String, byte[]> visitor) {
            List<String> keys = rows.tailMap(prefix).keySet().stream()
                    .filter(key -> key.compareTo(after) > 0)
                    .takeWhile(key -> key.startsWith(prefix))
                    .limit(limit)
                    .toList();
            keys.forEach(key -> visitor.accept(key, rows.get(key)));
        }

        @Override
        public void scanDown(String prefix, String before, int limit, BiConsumer<String, byte[]> visitor) {}

        @Override
        public void close() {}
    }

    private static final class NoImpact implements MaintenanceDriver {
        @Override
        public void start(DriverTask task) {}

        @Override
        public void status(DriverTask task) {}
    }

    private static final class NoJournal implements EngineListener {
        @Override
        public void committed(LogPage page, int commands, long commitNanos) {}

        @Override
        public void troubled(StoreException problem) {
            throw new IllegalStateException(problem);
        }

        @Override
        public void recovered() {}
    }
}
