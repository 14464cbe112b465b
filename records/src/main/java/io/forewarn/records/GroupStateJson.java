package io.forewarn.records;

import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.GroupState.Down;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads and writes the state of a group. */
final class GroupStateJson {
    private GroupStateJson() {}

    static void write(JsonWriter out, GroupState state) throws IOException {
        out.text("group", state.group());
        out.number("incarnation", state.incarnation());
        out.maybeInstant("enabledAt", state.enabledAt());
        if (!state.events().isEmpty()) {
            out.openList("events");
            for (Event event : state.events()) {
                EventJson.write(out, event);
            }
            out.closeList();
        }
        down(out, "lastDown", state.lastDown());
        down(out, "earlierDown", state.earlierDown());
        down(out, "lastRehearsed", state.lastRehearsed());
    }

    private static void down(JsonWriter out, String name, Down down) throws IOException {
        if (down != null) {
            out.open(name);
            out.number("updateDomain", down.updateDomain());
            out.instant("endedAt", down.endedAt());
            out.texts("awaited", new TreeSet<>(down.awaited().keySet()));
            Map<String, Instant> earlier = new TreeMap<>(down.awaited());
            earlier.values().removeIf(down.endedAt()::equals);
            out.texts("awaitedSince", earlier);
            out.close();
        }
    }

    static GroupState read(JsonReader in) throws IOException {
        GroupId group = null;
        Long incarnation = null;
        Instant enabledAt = null;
        List<Event> events = List.of();
        Down lastDown = null;
        Down earlierDown = null;
        Down lastRehearsed = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "group" -> group = in.groupId();
                case "incarnation" -> incarnation = in.bigNumber();
                case "enabledAt" -> enabledAt = in.instant();
                case "events" -> events = in.list(EventJson::read);
                case "lastDown" -> lastDown = down(in);
                case "earlierDown" -> earlierDown = down(in);
                case "lastRehearsed" -> lastRehearsed = down(in);
                default -> in.skip();
            }
        }
        return new GroupState(
                DamagedRecordException.unlessNull(group, "group"),
                DamagedRecordException.unlessNull(incarnation, "incarnation"),
                enabledAt,
                events,
                lastDown,
                earlierDown,
                lastRehearsed);
    }

    private static Down down(JsonReader in) throws IOException {
        Integer updateDomain = null;
        Instant endedAt = null;
        List<String> awaited = List.of();
        Map<String, Instant> awaitedSince = Map.of();
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "updateDomain" -> updateDomain = in.number();
                case "endedAt" -> endedAt = in.instant();
                case "awaited" -> awaited = in.list(JsonReader::text);
                case "awaitedSince" -> awaitedSince = in.map(JsonReader::instant);
                default -> in.skip();
            }
        }
        Instant ended = DamagedRecordException.unlessNull(endedAt, "endedAt");
        Map<String, Instant> machines = new HashMap<>();
        awaited.forEach(machine -> machines.put(machine, ended));
        machines.putAll(awaitedSince);
        return new Down(DamagedRecordException.unlessNull(updateDomain, "updateDomain"), ended, machines);
    }
}
