package io.forewarn.records;

import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Answer;
import io.forewarn.core.rules.Done;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** What one commit did. */
final class LogJson {
    private LogJson() {}

    static void write(JsonOut out, LogPage page) throws IOException {
        out.number("commit", page.commit());
        out.instant("at", page.at());
        if (!page.entries().isEmpty()) {
            out.openList("entries");
            for (Entry entry : page.entries()) {
                EntryJson.write(out, entry);
            }
            out.closeList();
        }
        if (!page.done().isEmpty()) {
            out.openList("done");
            for (Done done : page.done()) {
                write(out, done);
            }
            out.closeList();
        }
    }

    private static void write(JsonOut out, Done done) throws IOException {
        out.open();
        out.text("key", done.key());
        out.text("fingerprint", done.fingerprint());
        out.open("answer");
        out.texts("events", done.answer().events());
        out.number("changes", done.answer().changes());
        out.close();
        out.maybe("at", done.at());
        out.close();
    }

    static LogPage read(JsonIn in) throws IOException {
        Long commit = null;
        Instant at = null;
        List<Entry> entries = List.of();
        List<Done> done = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "commit" -> commit = in.bigNumber();
                case "at" -> at = in.instant();
                case "entries" -> entries = in.list(EntryJson::read);
                case "done" -> done = in.list(LogJson::done);
                default -> in.skip();
            }
        }
        return new LogPage(Damaged.unlessNull(commit, "commit"), Damaged.unlessNull(at, "at"), entries, done);
    }

    private static Done done(JsonIn in) throws IOException {
        String key = null;
        String fingerprint = null;
        Answer answer = null;
        Instant at = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "key" -> key = in.text();
                case "fingerprint" -> fingerprint = in.text();
                case "answer" -> answer = answer(in);
                case "at" -> at = in.instant();
                default -> in.skip();
            }
        }
        return new Done(
                Damaged.unlessNull(key, "key"),
                Damaged.unlessNull(fingerprint, "fingerprint"),
                Damaged.unlessNull(answer, "answer"),
                at);
    }

    private static Answer answer(JsonIn in) throws IOException {
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
        return new Answer(events, Damaged.unlessNull(changes, "changes"));
    }
}
