package io.forewarn.records;

import io.forewarn.core.Actor;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.audit.AuditAnchor;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads and writes pages of the audit log and the record of its first page. */
final class AuditJson {
    /** How problems that were renamed since are spelt in the store. */
    private static final Map<Problem, String> STORED = Map.of(
            Problem.NOT_FOUND, "UNKNOWN_NAME",
            Problem.LIMIT_EXCEEDED, "TOO_MANY",
            Problem.STORE_UNAVAILABLE, "STORE_DOWN",
            Problem.OUTCOME_UNKNOWN, "NOT_KNOWN");

    private AuditJson() {}

    static void write(JsonWriter out, AuditPage page) throws IOException {
        out.number("number", page.number());
        out.number("commit", page.commit());
        out.instant("at", page.at());
        out.text("before", page.before());
        out.openList("deeds");
        for (AuditEntry entry : page.deeds()) {
            write(out, entry);
        }
        out.closeList();
    }

    private static void write(JsonWriter out, AuditEntry entry) throws IOException {
        out.open();
        ActorJson.write(out, "actor", entry.actor());
        out.text("asked", entry.asked());
        out.maybe("problem", stored(entry.problem()));
        out.blankable("reason", entry.reason());
        if (entry.lost() != null) {
            out.number("lost-from", entry.lost().first());
            out.number("lost-to", entry.lost().last());
        }
        out.close();
    }

    static AuditPage readPage(JsonReader in) throws IOException {
        Long number = null;
        Long commit = null;
        Instant at = null;
        String before = null;
        List<AuditEntry> deeds = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "number" -> number = in.bigNumber();
                case "commit" -> commit = in.bigNumber();
                case "at" -> at = in.instant();
                case "before" -> before = in.text();
                case "deeds" -> deeds = in.list(AuditJson::deed);
                default -> in.skip();
            }
        }
        return new AuditPage(
                DamagedRecordException.unlessNull(number, "number"),
                DamagedRecordException.unlessNull(commit, "commit"),
                DamagedRecordException.unlessNull(at, "at"),
                DamagedRecordException.unlessNull(before, "before"),
                deeds);
    }

    private static String stored(Problem problem) {
        return problem == null ? null : STORED.getOrDefault(problem, problem.name());
    }

    private static Problem problem(JsonReader in) throws IOException {
        String text = in.text();
        return Arrays.stream(Problem.values())
                .filter(problem -> stored(problem).equals(text))
                .findFirst()
                .orElseThrow(() -> new DamagedRecordException("'" + text + "' is not a problem"));
    }

    private static AuditEntry deed(JsonReader in) throws IOException {
        Actor actor = null;
        String asked = null;
        Problem problem = null;
        String reason = "";
        Long lostFrom = null;
        long lostTo = 0;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "actor" -> actor = ActorJson.read(in);
                case "asked" -> asked = in.text();
                case "problem" -> problem = problem(in);
                case "reason" -> reason = in.text();
                case "lost-from" -> lostFrom = in.bigNumber();
                case "lost-to" -> lostTo = in.bigNumber();
                default -> in.skip();
            }
        }
        return new AuditEntry(
                DamagedRecordException.unlessNull(actor, "actor"),
                DamagedRecordException.unlessNull(asked, "asked"),
                problem,
                reason,
                lostFrom == null ? null : new LostCommits(lostFrom, lostTo));
    }

    static void write(JsonWriter out, AuditAnchor anchor) throws IOException {
        out.number("number", anchor.dropped().number());
        out.text("hash", anchor.dropped().hash());
        if (anchor.at() != null && anchor.before() != null) {
            out.instant("at", anchor.at());
            out.instant("before", anchor.before());
        }
    }

    static AuditAnchor readAnchor(JsonReader in) throws IOException {
        Long number = null;
        String hash = null;
        Instant at = null;
        Instant before = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "number" -> number = in.bigNumber();
                case "hash" -> hash = in.text();
                case "at" -> at = in.instant();
                case "before" -> before = in.instant();
                default -> in.skip();
            }
        }
        AuditHead dropped = new AuditHead(
                DamagedRecordException.unlessNull(number, "number"), DamagedRecordException.unlessNull(hash, "hash"));
        return new AuditAnchor(dropped, at, before);
    }
}
