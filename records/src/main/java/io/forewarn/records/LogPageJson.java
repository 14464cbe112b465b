package io.forewarn.records;

import io.forewarn.core.event.EventId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.IdempotencyRecord;
import io.forewarn.core.history.LogPage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Reads and writes log pages: the history entries of one commit. */
final class LogPageJson {
    private LogPageJson() {}

    static void write(JsonWriter out, LogPage page) throws IOException {
        out.number("commit", page.commit());
        out.instant("at", page.at());
        if (!page.entries().isEmpty()) {
            out.openList("entries");
            for (HistoryEntry entry : page.entries()) {
                HistoryEntryJson.write(out, entry);
            }
            out.closeList();
        }
        if (!page.done().isEmpty()) {
            out.openList("done");
            for (IdempotencyRecord idempotencyRecord : page.done()) {
                write(out, idempotencyRecord);
            }
            out.closeList();
        }
    }

    private static void write(JsonWriter out, IdempotencyRecord idempotencyRecord) throws IOException {
        out.open();
        out.text("key", idempotencyRecord.key());
        out.text("fingerprint", idempotencyRecord.fingerprint());
        out.open("answer");
        out.texts("events", idempotencyRecord.outcome().events());
        out.number("changes", idempotencyRecord.outcome().changes());
        out.close();
        out.maybe("at", idempotencyRecord.at());
        out.close();
    }

    static LogPage read(JsonReader in) throws IOException {
        Long commit = null;
        Instant at = null;
        List<HistoryEntry> entries = List.of();
        List<IdempotencyRecord> done = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "commit" -> commit = in.bigNumber();
                case "at" -> at = in.instant();
                case "entries" -> entries = in.list(HistoryEntryJson::read);
                case "done" -> done = in.list(LogPageJson::done);
                default -> in.skip();
            }
        }
        return new LogPage(
                DamagedRecordException.unlessNull(commit, "commit"),
                DamagedRecordException.unlessNull(at, "at"),
                entries,
                done);
    }

    private static IdempotencyRecord done(JsonReader in) throws IOException {
        String key = null;
        String fingerprint = null;
        IdempotencyRecord.Outcome outcome = null;
        Instant at = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "key" -> key = in.text();
                case "fingerprint" -> fingerprint = in.text();
                case "answer" -> outcome = outcome(in);
                case "at" -> at = in.instant();
                default -> in.skip();
            }
        }
        return new IdempotencyRecord(
                DamagedRecordException.unlessNull(key, "key"),
                DamagedRecordException.unlessNull(fingerprint, "fingerprint"),
                DamagedRecordException.unlessNull(outcome, "answer"),
                at);
    }

    private static IdempotencyRecord.Outcome outcome(JsonReader in) throws IOException {
        List<EventId> events = List.of();
        Integer changes = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "events" -> events = in.list(EventJson::id);
                case "changes" -> changes = in.number();
                default -> in.skip();
            }
        }
        return new IdempotencyRecord.Outcome(events, DamagedRecordException.unlessNull(changes, "changes"));
    }
}
