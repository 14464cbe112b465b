package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;

/** The real engine and rules with a clock in the test's hands and a driver that does as it is told. */
public final class EngineHarness {
    public static final GroupId WEB = new GroupId("default", "web");
    public static final Actor PERSON = Actor.person("test", "127.0.0.1");
    public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    public SimulatedStore store;
    public final List<HistoryEntry> history = new ArrayList<>();
    public final List<String> told = new ArrayList<>();
    public final Map<EventId, DriverTask> running = new LinkedHashMap<>();
    /** How long each event that started by time had been readable, in time that really passed. */
    public final Map<EventId, Duration> noticeGiven = new LinkedHashMap<>();

    public DriverReport answerToStatus = DriverReport.RUNNING;
    /** What the driver knows of how long work takes. */
    public final Map<Cause, Duration> durations = new LinkedHashMap<>();

    /** Simulated work does; of real work nobody knows. */
    public boolean takesAsLongAsIsSaid = true;

    public Engine engine;
    /** How often the store did not take or know something. */
    public int troubles;
    /** What was dropped for its age, as the listener was told. */
    public final List<String> swept = new ArrayList<>();
    /** Why nothing starts by time for a while, as the listener was told. */
    public final List<String> held = new ArrayList<>();
    /** For the engine that is opened next. */
    public Duration grace = Duration.ZERO;
    /** When documents could be read last before the engine that is opened next; null if all the time. */
    public Instant unreadableSince;

    private final SimulatedStore.Disk disk = new SimulatedStore.Disk();
    private final double faultRate;
    private final ServiceTerms terms;
    private final RecordFormat format = new ObjectFormat();
    private final Random random;
    private final Map<EventId, Long> readableSince = new LinkedHashMap<>();
    private final List<Command> answersOfTheDriver = new ArrayList<>();
    private ClockReading now = new ClockReading(START, 0);
    private Duration commitsTake = Duration.ZERO;

    /** @param faultRate how many commits of all go wrong */
    public EngineHarness(ServiceTerms terms, long seed, double faultRate) {
        this.faultRate = faultRate;
        this.terms = terms;
        this.random = new Random(seed);
        open();
    }

    /** A world with the group {@code web}: machines m0 to m5, two update domains, m5 a spot machine; nobody asked yet. */
    public static EngineHarness withWeb(ServiceTerms terms) {
        EngineHarness world = new EngineHarness(terms, 1, 0);
        world.group(WEB, GroupKind.AVAILABILITY_SET, 2, 6);
        return world;
    }

    /** The same after a machine asked. */
    public static EngineHarness enabled() {
        EngineHarness world = withWeb(ServiceTerms.AZURE);
        world.poll(WEB, "m0");
        return world;
    }

    /** Opens the engine on what the disk holds: the first time, and again after a crash, which forgets all else. */
    public void open() {
        answersOfTheDriver.clear();
        engine = null;
        while (engine == null) {
            store = new SimulatedStore(disk, SimulatedStore.SMALL, random.nextLong(), faultRate);
            try {
                engine = Engine.open(
                        new Engine.Settings(terms, grace, Duration.ofDays(90)),
                        () -> new EventId(new UUID(random.nextLong(), random.nextLong())),
                        new EngineContext(
                                store, format, new Driver(), new Hands(), () -> now.nanos(), new Keeper(), () -> {}));
            } catch (StoreException faulty) {
                // As a person would: start it again.
            }
        }
        engine.view().allGroups().forEach(group -> group.document()
                .events()
                .forEach(event -> readableSince.putIfAbsent(event.id(), now.nanos())));
        turn();
        List<Command> answers = List.copyOf(answersOfTheDriver);
        answersOfTheDriver.clear();
        answers.forEach(engine::submit);
        turn();
    }

    /** What outlives the process. */
    public SimulatedStore.Disk disk() {
        return disk;
    }

    public RecordFormat format() {
        return format;
    }

    /** All that was ever committed, as the disk has it. */
    public List<HistoryEntry> log() {
        List<HistoryEntry> entries = new ArrayList<>();
        try {
            store.scan(
                    LogPage.PREFIX,
                    "",
                    Integer.MAX_VALUE,
                    (key, value) -> entries.addAll(((LogPage) ((ObjectFormat) format).read(key, value)).entries()));
        } catch (StoreException impossible) {
            throw new IllegalStateException(impossible);
        }
        return entries;
    }

    /** The audit log, as the disk has it. */
    public List<AuditPage> audit() {
        List<AuditPage> pages = new ArrayList<>();
        reading(
                AuditPage.PREFIX,
                (key, value) -> pages.add((AuditPage) ((ObjectFormat) format)
                        .read(key, AuditPageHash.open(value).orElseThrow().content())));
        return pages;
    }

    /** Whether the audit log on the disk is what was written. */
    AuditVerifier.Finding verify() {
        try {
            return new AuditVerifier(new SimulatedStore(disk, SimulatedStore.SMALL), format, engine.view()::auditHead)
                    .check(null);
        } catch (StoreException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The numbers of the commits that tell of something. */
    Set<Long> commits(String what) {
        Set<Long> commits = new LinkedHashSet<>();
        reading(LogPage.PREFIX, (key, value) -> {
            LogPage page = (LogPage) ((ObjectFormat) format).read(key, value);
            if (page.entries().stream().anyMatch(e -> e.what().equals(what))) {
                commits.add(page.commit());
            }
        });
        return commits;
    }

    private void reading(String prefix, BiConsumer<String, byte[]> visitor) {
        try {
            new SimulatedStore(disk, SimulatedStore.SMALL).scan(prefix, "", Integer.MAX_VALUE, visitor);
        } catch (StoreException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    ClockReading moment() {
        return now;
    }

    public long nanos() {
        return now.nanos();
    }

    /** Read by the engine only once a commit is durable: that is when a slow commit is felt. */
    private ClockReading clock() {
        now = now.plus(commitsTake);
        return now;
    }

    public Instant now() {
        return now.wall();
    }

    public void group(GroupId id, GroupKind kind, int updateDomains, int machines) {
        List<MachineSpec> specs = new ArrayList<>();
        for (int i = 0; i < machines; i++) {
            MachineId machine = new MachineId(id.tenant(), "m" + i);
            boolean spot = i == machines - 1;
            specs.add(new MachineSpec(0, machine, id, null, null, "host-" + i / 2, List.of(), "", spot, Map.of()));
        }
        FleetSpec spec = new FleetSpec(List.of(new GroupSpec(0, id, kind, updateDomains, 1)), specs);
        ask(engine.change(facts -> FleetRules.apply(facts, spec, false), PERSON, null));
    }

    /** What the metadata endpoint does for a request it answers with a document. */
    public void poll(GroupId group, String machine) {
        Actor actor = Actor.machine(group.tenant() + "/" + machine, "127.0.0.1");
        if (!engine.rules().enabled(engine.view(), group, now.wall())) {
            ask(new Command.Enable(group, actor));
        }
        GroupView asking = engine.view().find(group);
        EventsDocument document = asking.document();
        boolean look = engine.view()
                .find(new MachineId(group.tenant(), machine))
                .polled(now.wall().toEpochMilli(), "2020-07-01", document.incarnation());
        Set<EventId> unseen = new HashSet<>();
        if (look && !document.events().isEmpty()) {
            document.events().forEach(event -> unseen.add(event.id()));
            unseen.retainAll(asking.unseen(unseen, machine));
        }
        if (!unseen.isEmpty()) {
            engine.sighted(new Command.Sight(group, machine, unseen, now.wall(), actor));
            turn();
        }
    }

    public EventId schedule(Cause cause, String machine) {
        return schedule(cause, machine, null);
    }

    public EventId schedule(Cause cause, String machine, Duration notice) {
        Command command = new Command.Schedule(cause, List.of(machine(machine)), notice, null, PERSON);
        return ask(command).events().get(0);
    }

    public void approve(EventId... ids) {
        ask(new Command.Approve(WEB, List.of(ids), Actor.machine("default/m0", "127.0.0.1")));
    }

    public void report(EventId id, DriverReport report) {
        int attempt = event(id).orElseThrow().attempt().attempt();
        ask(new Command.Told(id, attempt, report, ""));
    }

    /** All of them told of together, before anything else happens. */
    public void report(List<DriverTask> tasks, DriverReport report) {
        List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
        for (DriverTask task : tasks) {
            Event event = task.event();
            answers.add(
                    engine.submit(new Command.Told(event.id(), event.attempt().attempt(), report, "")));
        }
        answers.forEach(this::ask);
    }

    public static MachineId machine(String name) {
        return new MachineId("default", name);
    }

    public CommandResult ask(Command command) {
        return ask(engine.submit(command));
    }

    /** The answer; null if there is none yet. */
    public CommandResult ask(CompletableFuture<CommandResult> asked) {
        turn();
        try {
            return asked.getNow(null);
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RefusedException refusal ? refusal : failed;
        }
    }

    public void turn() {
        while (engine.turn(now) > 0) {
            // Everything settles before time goes on.
        }
    }

    /** Lets time pass, from due time to due time. */
    public void pass(Duration duration) {
        Instant end = now.wall().plus(duration);
        for (Optional<Instant> due = engine.due(); due.isPresent() && !due.get().isAfter(end); due = engine.due()) {
            // What is due and cannot be done, because the store is not there, is tried again a second later.
            Duration step = Duration.between(now.wall(), due.get());
            now = now.plus(step.isNegative() || step.isZero() ? Duration.ofSeconds(1) : step);
            turn();
        }
        if (end.isAfter(now.wall())) {
            now = now.plus(Duration.between(now.wall(), end));
            turn();
        }
    }

    /** Time passes, and the engine is not turned. */
    public void skip(Duration duration) {
        now = now.plus(duration);
    }

    /** Somebody sets the wall; no time really passes. */
    public void setWall(Instant wall) {
        now = new ClockReading(wall, now.nanos());
        turn();
    }

    /** From now on this much time passes while a commit is written. */
    public void slowCommits(Duration each) {
        commitsTake = each;
    }

    public Optional<Event> event(EventId id) {
        return engine.view().groupOf(id).flatMap(g -> engine.view().state(g).event(id));
    }

    public long incarnation() {
        return engine.view().state(WEB).incarnation();
    }

    public List<Event> shown() {
        return engine.view().find(WEB).document().events();
    }

    public Set<MachineId> runningMachines() {
        Set<MachineId> running = new HashSet<>();
        for (MachineView machine : engine.view().allMachines()) {
            if (machine.condition() == null || machine.condition().state() == MachineCondition.State.RUNNING) {
                running.add(machine.machine().id());
            }
        }
        return running;
    }

    /** What history says of an event. */
    public List<String> steps(EventId id) {
        return history.stream()
                .filter(e -> id.equals(e.event()))
                .map(HistoryEntry::what)
                .toList();
    }

    private final class Hands implements Clock {
        @Override
        public ClockReading now() {
            return clock();
        }

        @Override
        public Optional<Instant> unreadableSince(StoredTime stored) {
            return Optional.ofNullable(unreadableSince);
        }
    }

    private final class Driver implements MaintenanceDriver {
        @Override
        public void start(DriverTask task) {
            told.add("start " + task.event().id() + " " + task.event().attempt().attempt());
            running.put(task.event().id(), task);
            Long since = readableSince.get(task.event().id());
            if (since != null && !task.event().isApproved()) {
                noticeGiven.put(task.event().id(), Duration.ofNanos(now.nanos() - since));
            }
        }

        @Override
        public Optional<Duration> expected(Cause cause, boolean rehearsal, Duration given) {
            return Optional.ofNullable(given != null && takesAsLongAsIsSaid ? given : durations.get(cause));
        }

        @Override
        public void status(DriverTask task) {
            EventId id = task.event().id();
            told.add("status " + id + " " + task.event().attempt().attempt());
            answersOfTheDriver.add(new Command.Told(id, task.event().attempt().attempt(), answerToStatus, ""));
        }
    }

    private final class Keeper implements EngineListener {
        @Override
        public void committed(LogPage page, int commands, long commitNanos) {
            history.addAll(page.entries());
            page.entries().stream()
                    .filter(e -> e.what().startsWith("SCHEDULED"))
                    .forEach(e -> readableSince.put(e.event(), now.nanos()));
        }

        @Override
        public void failed(Command command, RuntimeException bug) {
            throw new AssertionError("a fault in the rules, by " + command, bug);
        }

        @Override
        public void troubled(StoreException problem) {
            troubles++;
        }

        @Override
        public void swept(int pages, int auditPages, Instant before) {
            swept.add(pages + " and " + auditPages + " before " + before);
        }

        @Override
        public void held(String why, Duration grace) {
            held.add(why);
        }

        @Override
        public void recovered() {}
    }
}
