package io.forewarn.records;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Approval;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.NoticePeriod;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Postponement;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Work;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Reads and writes open events. */
final class EventJson {
    private EventJson() {}

    static void write(JsonWriter out, Event event) throws IOException {
        out.open();
        out.text("id", event.id());
        out.constant("phase", event.phase());
        out.flag("shared", event.shared());
        WorkJson.write(out, event.work());
        if (event.noticePeriod() != null) {
            out.open("announcement");
            out.instant("at", event.noticePeriod().at());
            out.instant("notBefore", event.noticePeriod().notBefore());
            out.number("commit", event.noticePeriod().commit());
            out.close();
        }
        if (event.approval() != null) {
            out.open("approval");
            ActorJson.write(out, "by", event.approval().by());
            out.instant("at", event.approval().at());
            out.close();
        }
        if (event.attempt() != null) {
            out.open("claim");
            out.instant("startedAt", event.attempt().startedAt());
            out.number("attempt", event.attempt().attempt());
            out.number("epoch", event.attempt().epoch());
            out.close();
        }
        out.texts("sightings", event.sightings());
        out.texts("joined", event.joined());
        out.texts("voices", event.voices());
        if (!event.postponements().isEmpty()) {
            out.openList("postponements");
            for (Postponement postponement : event.postponements()) {
                out.open();
                out.constant("by", postponement.by());
                out.instant("at", postponement.at());
                out.instant("from", postponement.from());
                out.instant("until", postponement.until());
                out.close();
            }
            out.closeList();
        }
        out.close();
    }

    static EventId id(JsonReader in) throws IOException {
        String text = in.text();
        return EventId.parse(text).orElseThrow(() -> new DamagedRecordException("'" + text + "' is not an event id"));
    }

    static Event read(JsonReader in) throws IOException {
        EventId id = null;
        Work work = null;
        Phase phase = null;
        boolean shared = false;
        NoticePeriod noticePeriod = null;
        Approval approval = null;
        StartAttempt claim = null;
        Map<String, Instant> sightings = Map.of();
        Map<String, Cause> joined = Map.of();
        Map<String, Instant> voices = Map.of();
        List<Postponement> postponements = List.of();
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "id" -> id = id(in);
                case "phase" -> phase = in.constant(Phase.class);
                case "shared" -> shared = in.flag();
                case "work" -> work = WorkJson.read(in);
                case "announcement" -> noticePeriod = announcement(in);
                case "approval" -> approval = approval(in);
                case "claim" -> claim = claim(in);
                case "sightings" -> sightings = in.map(JsonReader::instant);
                case "joined" -> joined = in.map(cause -> cause.constant(Cause.class));
                case "voices" -> voices = in.map(JsonReader::instant);
                case "postponements" -> postponements = in.list(EventJson::postponement);
                default -> in.skip();
            }
        }
        return new Event(
                DamagedRecordException.unlessNull(id, "id"),
                DamagedRecordException.unlessNull(work, "work"),
                DamagedRecordException.unlessNull(phase, "phase"),
                shared,
                noticePeriod,
                approval,
                claim,
                sightings,
                joined,
                voices,
                postponements);
    }

    private static Postponement postponement(JsonReader in) throws IOException {
        Actor.Kind by = null;
        Instant at = null;
        Instant from = null;
        Instant until = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "by" -> by = in.constant(Actor.Kind.class);
                case "at" -> at = in.instant();
                case "from" -> from = in.instant();
                case "until" -> until = in.instant();
                default -> in.skip();
            }
        }
        return new Postponement(
                DamagedRecordException.unlessNull(by, "by"),
                DamagedRecordException.unlessNull(at, "at"),
                DamagedRecordException.unlessNull(from, "from"),
                DamagedRecordException.unlessNull(until, "until"));
    }

    private static NoticePeriod announcement(JsonReader in) throws IOException {
        Instant at = null;
        Instant notBefore = null;
        Long commit = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "at" -> at = in.instant();
                case "notBefore" -> notBefore = in.instant();
                case "commit" -> commit = in.bigNumber();
                default -> in.skip();
            }
        }
        return new NoticePeriod(
                DamagedRecordException.unlessNull(at, "at"),
                DamagedRecordException.unlessNull(notBefore, "notBefore"),
                DamagedRecordException.unlessNull(commit, "commit"));
    }

    private static Approval approval(JsonReader in) throws IOException {
        Actor by = null;
        Instant at = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "by" -> by = ActorJson.read(in);
                case "at" -> at = in.instant();
                default -> in.skip();
            }
        }
        return new Approval(DamagedRecordException.unlessNull(by, "by"), DamagedRecordException.unlessNull(at, "at"));
    }

    private static StartAttempt claim(JsonReader in) throws IOException {
        Instant startedAt = null;
        Integer attempt = null;
        Long epoch = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "startedAt" -> startedAt = in.instant();
                case "attempt" -> attempt = in.number();
                case "epoch" -> epoch = in.bigNumber();
                default -> in.skip();
            }
        }
        return new StartAttempt(
                DamagedRecordException.unlessNull(startedAt, "startedAt"),
                DamagedRecordException.unlessNull(attempt, "attempt"),
                DamagedRecordException.unlessNull(epoch, "epoch"));
    }
}
