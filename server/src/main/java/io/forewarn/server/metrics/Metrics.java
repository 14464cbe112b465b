package io.forewarn.server.metrics;

import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.NoticePeriod;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.Channel;
import io.forewarn.wire.control.EnumNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Metrics for Prometheus. Counts what the engine tells of each commit; everything else is looked up when it is asked for. */
public final class Metrics implements EngineListener {
    private static final Map<String, Transition> STEPS =
            Arrays.stream(Transition.values()).collect(Collectors.toMap(Transition::name, Function.identity()));

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Timer commit = Timer.builder("forewarn.commit")
            .description("Time the store took to make a commit durable.")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofMillis(1))
            .maximumExpectedValue(Duration.ofSeconds(10))
            .register(registry);
    private final DistributionSummary batch = DistributionSummary.builder("forewarn.commit.commands")
            .description("Commands per commit.")
            .register(registry);
    private final Timer approval = Timer.builder("forewarn.approval.latency")
            .description("Time from scheduling an event to its approval.")
            .register(registry);
    private final DistributionSummary promised = DistributionSummary.builder("forewarn.notice.promised")
            .baseUnit("seconds")
            .description("Notice promised for events that started.")
            .register(registry);
    private final DistributionSummary given = DistributionSummary.builder("forewarn.notice.given")
            .baseUnit("seconds")
            .description("Notice given for events that started.")
            .register(registry);
    private final Counter shortfalls = Counter.builder("forewarn.notice.shortfalls")
            .description("Events that started by time with less notice than promised; should always be 0.")
            .register(registry);
    private final Counter storeErrors = Counter.builder("forewarn.store.errors")
            .description("Store operations that failed.")
            .register(registry);
    private final Map<Transition, Counter> steps = new EnumMap<>(Transition.class);
    /** The registry itself holds on to nothing. */
    private final List<LongSupplier> kept = new CopyOnWriteArrayList<>();

    private final Map<String, AtomicLong> polls = new ConcurrentHashMap<>();

    private volatile CommandGateway gateway;
    private volatile PollCounts pollCounts = visitor -> {};

    public Metrics() {
        for (Transition transition : Transition.values()) {
            steps.put(
                    transition,
                    Counter.builder("forewarn.event.transitions")
                            .description("Transitions of events, as listed in docs/lifecycle.md.")
                            .tag("transition", EnumNames.of(transition))
                            .register(registry));
        }
    }

    /** From now on looks at this engine too. */
    public void watch(CommandGateway running, PollCounts counts) {
        gateway = running;
        pollCounts = counts;
        Gauge.builder("forewarn.queue.depth", running, CommandGateway::queued)
                .description("Commands waiting for the writer.")
                .register(registry);
        Gauge.builder("forewarn.store.up", running, e -> e.trouble().isPresent() ? 0 : 1)
                .description("1 while the store accepts writes.")
                .register(registry);
        Gauge.builder("forewarn.groups", running, e -> e.view().groups().size())
                .description("Groups in the fleet.")
                .register(registry);
        Gauge.builder("forewarn.machines", running, e -> e.view().allMachines().size())
                .description("Machines in the fleet.")
                .register(registry);
        for (Phase phase : Phase.values()) {
            if (phase != Phase.ENDED) {
                Gauge.builder("forewarn.events", running, e -> open(e.view(), phase))
                        .description("Open events, by status.")
                        .tag("status", EnumNames.of(phase))
                        .register(registry);
            }
        }
    }

    /** Watches deliveries by channel, not by subscription, of which there may be thousands. */
    public void watch(
            Channel channel, LongSupplier delivered, LongSupplier failures, LongSupplier dead, DoubleSupplier lag) {
        count(channel, "forewarn.notifications.delivered", "Notifications that were delivered.", delivered);
        count(channel, "forewarn.notification.failures", "Failed attempts to deliver a notification.", failures);
        count(channel, "forewarn.notifications.dead", "Notifications that became dead letters.", dead);
        Gauge.builder("forewarn.notifications.lag", lag::getAsDouble)
                .description("Age, in service time, of the oldest notification that should have been sent by now.")
                .baseUnit("seconds")
                .tag("channel", EnumNames.of(channel))
                .register(registry);
    }

    private void count(Channel channel, String name, String description, LongSupplier count) {
        kept.add(count);
        FunctionCounter.builder(name, count, LongSupplier::getAsLong)
                .description(description)
                .tag("channel", EnumNames.of(channel))
                .register(registry);
    }

    /** Watches how history is read. */
    public void watchLog(LongSupplier pagesRead, BooleanSupplier indexed) {
        kept.add(pagesRead);
        FunctionCounter.builder("forewarn.log.pages.read", pagesRead, LongSupplier::getAsLong)
                .description("Log pages read for history, reports and finished events.")
                .register(registry);
        gauge(
                "forewarn.log.indexed",
                null,
                "1 while the whole log is indexed, so that filters read only matching pages.",
                () -> indexed.getAsBoolean() ? 1 : 0);
    }

    /** Watches the state of a cluster node. */
    public void watch(NodeMetrics node) {
        gauge("forewarn.writer", null, "1 on the writer, 0 on other nodes.", () -> node.writes() ? 1 : 0);
        gauge(
                "forewarn.writer.lag",
                "seconds",
                "Time since this node last heard from the writer; 0 on the writer itself.",
                node::heardSeconds);
        gauge(
                "forewarn.writer.unreachable",
                null,
                "1 while this node hears from the writer but cannot forward requests to it.",
                () -> node.writerUnreachable() ? 1 : 0);
        gauge(
                "forewarn.epoch",
                null,
                "Writer epoch that this node knows; it increases with each new writer.",
                node::epoch);
        gauge("forewarn.nodes", null, "Live nodes, including this one.", node::nodes);
        gauge("forewarn.record.format", null, "Number of the record format that this node writes.", node::format);
        gauge("forewarn.etcd.members", null, "etcd members at the last check.", node::members);
        gauge(
                "forewarn.etcd.members.responding",
                null,
                "etcd members that responded at the last check.",
                node::responding);
        node.forwardedRequests().forEach((outcome, count) -> {
            kept.add(count);
            FunctionCounter.builder("forewarn.forwarded.requests", count, LongSupplier::getAsLong)
                    .description("Requests that this node forwarded to the writer, by outcome.")
                    .tag("outcome", outcome)
                    .register(registry);
        });
    }

    private void gauge(String name, String unit, String description, DoubleSupplier value) {
        Gauge.builder(name, value::getAsDouble)
                .description(description)
                .baseUnit(unit)
                .register(registry);
    }

    private static double open(PublishedState published, Phase phase) {
        return published.allGroups().stream()
                .mapToLong(g -> g.state().events().stream()
                        .filter(e -> e.phase() == phase)
                        .count())
                .sum();
    }

    /** The metrics in the text format of Prometheus. */
    public String scrape() {
        pollCounts.forEach((version, status, count) -> {
            if (count > 0) {
                polls.computeIfAbsent(version + " " + status, key -> counted(version, status))
                        .set(count);
            }
        });
        return registry.scrape();
    }

    private AtomicLong counted(String version, int status) {
        AtomicLong count = new AtomicLong();
        FunctionCounter.builder("forewarn.polls", count, AtomicLong::get)
                .description("Answers from the metadata endpoint.")
                .tag("version", version.isEmpty() ? "none" : version)
                .tag("status", String.valueOf(status))
                .register(registry);
        return count;
    }

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        commit.record(commitNanos, TimeUnit.NANOSECONDS);
        batch.record(commands);
        page.entries().forEach(this::count);
    }

    private void count(HistoryEntry entry) {
        Transition transition = STEPS.get(entry.what());
        if (transition == null) {
            return;
        }
        steps.get(transition).increment();
        if (transition == Transition.APPROVED) {
            noticePeriod(entry.event())
                    .map(a -> Duration.between(a.at(), entry.at()))
                    .filter(waited -> !waited.isNegative())
                    .ifPresent(approval::record);
        }
        if (entry.given() != null && entry.promised() != null) {
            promised.record(entry.promised().toMillis() / 1000.0);
            given.record(entry.given().toMillis() / 1000.0);
            if (transition == Transition.STARTED_BY_TIME && entry.given().compareTo(entry.promised()) < 0) {
                shortfalls.increment();
            }
        }
    }

    private Optional<NoticePeriod> noticePeriod(EventId id) {
        CommandGateway running = gateway;
        if (running == null || id == null) {
            return Optional.empty();
        }
        PublishedState published = running.view();
        return published
                .groupOf(id)
                .flatMap(group -> published.state(group).event(id))
                .map(Event::noticePeriod);
    }

    @Override
    public void troubled(StoreException problem) {
        storeErrors.increment();
    }

    @Override
    public void recovered() {}
}
