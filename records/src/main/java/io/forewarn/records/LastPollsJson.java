package io.forewarn.records;

import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.LastPolls.Poll;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** Reads and writes when the machines of a group last polled. */
final class LastPollsJson {
    private LastPollsJson() {}

    static void write(JsonWriter out, LastPolls polls) throws IOException {
        out.text("group", polls.group());
        out.open("machines");
        for (Map.Entry<String, Poll> machine :
                JsonWriter.ordered(polls.machines()).entrySet()) {
            out.open(machine.getKey());
            out.instant("at", machine.getValue().at());
            out.text("apiVersion", machine.getValue().apiVersion());
            out.close();
        }
        out.close();
    }

    static LastPolls read(JsonReader in) throws IOException {
        GroupId group = null;
        Map<String, Poll> machines = Map.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "group" -> group = in.groupId();
                case "machines" -> machines = in.map(LastPollsJson::poll);
                default -> in.skip();
            }
        }
        return new LastPolls(DamagedRecordException.unlessNull(group, "group"), machines);
    }

    private static Poll poll(JsonReader in) throws IOException {
        Instant at = null;
        String apiVersion = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "at" -> at = in.instant();
                case "apiVersion" -> apiVersion = in.sharedText();
                default -> in.skip();
            }
        }
        return new Poll(
                DamagedRecordException.unlessNull(at, "at"),
                DamagedRecordException.unlessNull(apiVersion, "apiVersion"));
    }
}
