package io.forewarn.server.control;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.server.history.HistoryQuery;
import io.forewarn.server.history.NoticeReport;
import io.forewarn.server.history.ReadProgress;
import io.forewarn.wire.control.Csv;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.HistoryEntryBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.ListWriter;
import io.forewarn.wire.control.NoticeBody;
import java.io.OutputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Handles requests for history, its export, and the notice report. */
final class HistoryHandlers {
    /** The maximum number of log pages per request, so that a selective filter does not occupy a worker for the whole log. */
    static final int PAGES = 50_000;

    /** The maximum number of concurrent reads of the whole log, so that others find a worker. */
    private static final int EXPORTS = 3;

    private static final int EXPORTS_OF_ONE = 2;

    private final ControlParts parts;
    /** The number of exports and reports in progress, by caller. */
    private final Map<String, Integer> exports = new HashMap<>();

    HistoryHandlers(ControlParts parts) {
        this.parts = parts;
    }

    void history(RequestContext call) {
        HistoryQuery query = query(call)
                .about(kinds(call.query("kinds")), searched(call))
                .atMost(call.limit(Long.MAX_VALUE))
                .oldestFirst(oldestFirst(call.query("order")))
                .after(mark(call.query("after")));
        ListWriter listWriter =
                ListWriter.of(call.query("format"), call.request().getHeader("Accept"));
        switch (listWriter) {
            case JSON -> call.streamingLog(listWriter.type(), out -> list(query, out));
            case JSONL ->
                export(call, listWriter, out -> {
                    JsonGenerator json = lines(out);
                    parts.history().read(query, entry -> json.writePOJO(BodyMapper.entry(entry)));
                    end(json);
                });
            case CSV ->
                export(call, listWriter, out -> {
                    Csv csv = new Csv(out);
                    csv.line(HistoryEntryBody.CELLS);
                    parts.history()
                            .read(
                                    query,
                                    entry -> csv.line(BodyMapper.entry(entry).cells()));
                });
        }
    }

    private void list(HistoryQuery query, OutputStream out) throws Exception {
        JsonGenerator json = begin(out);
        json.writeArrayFieldStart("history");
        ReadProgress readProgress =
                parts.history().read(query, PAGES, entry -> json.writePOJO(BodyMapper.entry(entry)));
        json.writeEndArray();
        if (readProgress.next() != null) {
            json.writeStringField("next", readProgress.next().toString());
            json.writeStringField("searchedTo", BodyMapper.time(readProgress.to()));
        }
        json.writeEndObject();
        json.writeRaw('\n');
        json.flush();
    }

    void notice(RequestContext call) {
        HistoryQuery query = query(call);
        ListWriter listWriter =
                ListWriter.of(call.query("format"), call.request().getHeader("Accept"));
        switch (listWriter) {
            case JSON ->
                export(call, listWriter, out -> {
                    JsonGenerator json = begin(out);
                    json.writeArrayFieldStart("events");
                    var noticeSummary = report(
                                    query, eventNotice -> json.writePOJO(NoticeReportMapper.notice(eventNotice)))
                            .read();
                    json.writeEndArray();
                    json.writePOJOField("summary", NoticeReportMapper.summary(noticeSummary));
                    json.writeEndObject();
                    json.writeRaw('\n');
                    json.flush();
                });
            case JSONL ->
                export(call, listWriter, out -> {
                    JsonGenerator json = lines(out);
                    report(query, eventNotice -> json.writePOJO(NoticeReportMapper.notice(eventNotice)))
                            .read();
                    end(json);
                });
            case CSV ->
                export(call, listWriter, out -> {
                    Csv csv = new Csv(out);
                    csv.line(NoticeBody.CELLS);
                    report(
                                    query,
                                    eventNotice -> csv.line(NoticeReportMapper.notice(eventNotice)
                                            .cells()))
                            .read();
                });
        }
    }

    private NoticeReport report(HistoryQuery query, NoticeReport.Sink sink) {
        return new NoticeReport(parts.history(), query, sink);
    }

    private void export(RequestContext call, ListWriter listWriter, RequestContext.Writing writing) {
        String caller = call.caller().name();
        begin(caller);
        try {
            call.streamingLog(listWriter.type(), writing).onComplete(over -> end(caller));
        } catch (RefusedException tooMany) {
            end(caller);
            throw tooMany;
        }
    }

    private synchronized void begin(String caller) {
        int own = exports.getOrDefault(caller, 0);
        int all = exports.values().stream().mapToInt(Integer::intValue).sum();
        if (all >= EXPORTS || own >= EXPORTS_OF_ONE) {
            throw new RefusedException(
                    Problem.BUSY,
                    (all >= EXPORTS
                                    ? EXPORTS + " exports or reports are in progress already"
                                    : EXPORTS_OF_ONE + " exports or reports of '" + caller
                                            + "' are in progress already")
                            + "; try again when one has ended");
        }
        exports.put(caller, own + 1);
    }

    private synchronized void end(String caller) {
        exports.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
    }

    private static JsonGenerator begin(OutputStream out) throws Exception {
        JsonGenerator json = Json.mapper().getFactory().createGenerator(out);
        json.setCodec(Json.mapper());
        json.writeStartObject();
        return json;
    }

    /** One object per line. */
    static JsonGenerator lines(OutputStream out) throws Exception {
        JsonGenerator json = Json.mapper().getFactory().createGenerator(out);
        json.setCodec(Json.mapper());
        json.setRootValueSeparator(new SerializedString("\n"));
        return json;
    }

    static void end(JsonGenerator json) throws Exception {
        if (json.getOutputContext().getEntryCount() > 0) {
            json.writeRaw('\n');
        }
        json.flush();
    }

    private HistoryQuery query(RequestContext call) {
        NameLookup lookup = new NameLookup(parts.gateway().view(), call.caller(), call.query("tenant"));
        String asked = ControlHandlers.tenant(call);
        String tenant = call.caller().everyTenant() ? asked : call.caller().tenant();
        GroupId group = call.query("group") == null ? null : lookup.groupId(call.query("group"));
        MachineId machine = call.query("machine") == null ? null : lookup.machineId(call.query("machine"));
        EventId event = call.query("event") == null ? null : NameLookup.eventId(call.query("event"));
        Instant since = call.query("since") == null ? Instant.MIN : parts.pastTime("since", call.query("since"));
        Instant until = call.query("until") == null ? Instant.MAX : parts.pastTime("until", call.query("until"));
        if (until.isBefore(since)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "until, " + until + ", is before since, " + since + "; swap the two");
        }
        return HistoryQuery.ALL
                .about(
                        machine == null ? tenant : machine.tenant(),
                        group,
                        machine == null ? null : machine.name(),
                        event,
                        call.query("rollout"))
                .between(since, until);
    }

    /** A type of notification stands for all its entries; the name of an entry that is no type, for itself. */
    private static Set<String> kinds(String words) {
        if (words == null) {
            return null;
        }
        Set<String> entries = new HashSet<>();
        for (String word : words.split(",")) {
            EnumNames.parse(Transition.class, word.strip())
                    .filter(step -> EnumNames.parse(NotificationType.class, word.strip())
                            .isEmpty())
                    .ifPresentOrElse(step -> entries.add(step.name()), () -> SubscriptionParser.read(List.of(word))
                            .forEach(type -> entries.addAll(type.entries())));
        }
        return entries;
    }

    /** The text to search for, in lower case; null if there is none. */
    static String searched(RequestContext call) {
        String text = call.query("text");
        return text == null || text.isBlank() ? null : text.strip().toLowerCase(Locale.ROOT);
    }

    static boolean oldestFirst(String order) {
        if (order == null || order.equals("newest")) {
            return false;
        }
        if (order.equals("oldest")) {
            return true;
        }
        throw new RefusedException(Problem.BAD_INPUT, "order must be newest or oldest, not '" + order + "'");
    }

    private static LogPosition mark(String text) {
        return text == null
                ? null
                : LogPosition.parse(text)
                        .orElseThrow(() -> new RefusedException(
                                Problem.BAD_INPUT,
                                "after must be the next of an earlier response, such as 12.0, not '" + text + "'"));
    }
}
