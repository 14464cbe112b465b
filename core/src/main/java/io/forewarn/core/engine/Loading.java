package io.forewarn.core.engine;

import io.forewarn.core.Stored;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.OpenPiece;
import io.forewarn.core.rollout.PieceChunk;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rules.ClockMark;
import io.forewarn.core.rules.Condition;
import io.forewarn.core.rules.Done;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LogPage;
import io.forewarn.core.rules.Polls;
import io.forewarn.core.rules.StoredPolicy;
import io.forewarn.core.rules.Token;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads everything a writer needs, page by page. */
final class Loading {
    private static final int PAGE = 1000;

    /** Pages of the log may be large: a busy commit has hundreds of entries. */
    private static final int LOG_PAGES = 50;

    private final Store store;
    private final Format format;
    private final View view;

    Loading(Store store, Format format, View view) {
        this.store = store;
        this.format = format;
        this.view = view;
    }

    private record Row(String key, byte[] value) {}

    /** What a visitor does with a record. */
    private interface Taker<T> {
        void take(T record) throws StoreException;
    }

    void fleetAndState() throws StoreException {
        Assembling assembling = new Assembling();
        each(FleetChunk.PREFIX, FleetChunk.class, assembling);
        assembling.end();
        each(GroupState.PREFIX, GroupState.class, view::publish);
        each(Condition.PREFIX, Condition.class, view::publish);
        each(Token.PREFIX, Token.class, view::publish);
        each(StoredPolicy.PREFIX, StoredPolicy.class, stored -> view.publish(stored.policy()));
        each(Rollout.PREFIX, Rollout.class, view::publish);
        each(PieceChunk.PREFIX, PieceChunk.class, view::publish);
        each(OpenPiece.PREFIX, OpenPiece.class, view::publish);
        each(Polls.PREFIX, Polls.class, this::recall);
    }

    /** Puts chunks together to groups; they come in key order. */
    private final class Assembling implements Taker<FleetChunk> {
        private final List<Machine> machines = new ArrayList<>();
        private FleetChunk last;

        @Override
        public void take(FleetChunk chunk) throws StoreException {
            int expected = isWhole() ? 0 : last.chunk() + 1;
            if (chunk.chunk() != expected
                    || !isWhole() && !chunk.group().id().equals(last.group().id())) {
                throw incomplete(isWhole() ? chunk : last);
            }
            machines.addAll(chunk.machines());
            last = chunk;
            if (isWhole()) {
                view.publish(List.of(new GroupChange(chunk.group().id(), chunk.group(), machines)));
                machines.clear();
            }
        }

        void end() throws StoreException {
            if (!isWhole()) {
                throw incomplete(last);
            }
        }

        private boolean isWhole() {
            return last == null || last.chunk() + 1 == last.chunks();
        }

        private StoreException incomplete(FleetChunk chunk) {
            return new StoreException(
                    Kind.UNREADABLE,
                    "the store lacks a part of group " + chunk.group().id() + "; restore it from a backup");
        }
    }

    private void recall(Polls polls) {
        polls.machines().forEach((name, poll) -> {
            MachineView machine = view.find(new MachineId(polls.group().tenant(), name));
            if (machine != null) {
                machine.recall(poll.at().toEpochMilli(), poll.apiVersion());
            }
        });
    }

    /** Where the manual clock stood, if there ever was one. */
    static Optional<Instant> clock(Store store, Format format) throws StoreException {
        List<ClockMark> found = new ArrayList<>();
        new Loading(store, format, new View()).each(ClockMark.KEY, ClockMark.class, found::add);
        return found.stream().map(ClockMark::now).findFirst();
    }

    /** The answers of the last day, oldest first. */
    void answers(Answers answers, Instant now) throws StoreException {
        List<LogPage> pages = new ArrayList<>();
        Instant oldest = now.minus(Answers.KEPT);
        String before = LogPage.PREFIX + "~";
        boolean more = true;
        while (more) {
            List<LogPage> page = new ArrayList<>();
            List<Row> raw = new ArrayList<>();
            store.scanDown(LogPage.PREFIX, before, LOG_PAGES, (key, value) -> raw.add(new Row(key, value)));
            for (Row row : raw) {
                page.add(read(row.key(), row.value(), LogPage.class));
            }
            more = raw.size() == LOG_PAGES && !page.get(page.size() - 1).at().isBefore(oldest);
            before = raw.isEmpty() ? before : raw.get(raw.size() - 1).key();
            page.removeIf(p -> p.done().isEmpty() || p.at().isBefore(oldest));
            pages.addAll(page);
        }
        Collections.reverse(pages);
        for (LogPage page : pages) {
            for (Done done : page.done()) {
                answers.remember(done, page.at());
            }
        }
    }

    private <T extends Stored> void each(String prefix, Class<T> type, Taker<T> taker) throws StoreException {
        String after = "";
        List<Row> page = new ArrayList<>();
        do {
            page.clear();
            store.scan(prefix, after, PAGE, (key, value) -> page.add(new Row(key, value)));
            for (Row row : page) {
                after = row.key();
                taker.take(read(after, row.value(), type));
            }
        } while (page.size() == PAGE);
    }

    private <T extends Stored> T read(String key, byte[] value, Class<T> type) throws StoreException {
        Stored record = format.read(key, value);
        if (!type.isInstance(record)) {
            throw new StoreException(
                    Kind.UNREADABLE, "the record " + key + " is not what its key says; restore it from a backup");
        }
        return type.cast(record);
    }
}
