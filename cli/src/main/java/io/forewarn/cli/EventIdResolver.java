package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Completes an abbreviated event id for commands. Leaves complete ids and anything that is not an id to the server. */
final class EventIdResolver {
    private static final int LEAST = 4;
    private static final Pattern BEGINNING = Pattern.compile("[0-9A-Fa-f][0-9A-Fa-f-]{0,34}");

    private final ServerCommand serverCommand;
    private List<String> ids;

    EventIdResolver(ServerCommand serverCommand) {
        this.serverCommand = serverCommand;
    }

    List<String> whole(List<String> typed) {
        return typed.stream().map(this::whole).toList();
    }

    String whole(String typed) {
        if (!BEGINNING.matcher(typed).matches()) {
            return typed;
        }
        if (typed.length() < LEAST) {
            throw CommandRefusedException.wrong("'" + typed + "' is too short for an event id; type at least " + LEAST
                    + " characters that no other open event's id begins with");
        }
        return only(typed, ids());
    }

    static String only(String typed, List<String> ids) {
        String beginning = typed.toUpperCase(Locale.ROOT);
        List<String> found = ids.stream()
                .filter(id -> id.toUpperCase(Locale.ROOT).startsWith(beginning))
                .toList();
        if (found.isEmpty()) {
            throw new CommandRefusedException(
                    "no open event's id begins with '" + typed + "'; an event that has ended needs its complete id");
        }
        if (found.size() > 1) {
            throw new CommandRefusedException("the ids of " + found.size() + " open events begin with '" + typed
                    + "', such as " + found.get(0) + " and " + found.get(1) + "; type more characters");
        }
        return found.get(0);
    }

    private List<String> ids() {
        if (ids == null) {
            List<String> open = new ArrayList<>();
            serverCommand.client().each(EventBody.class, Route.EVENTS, Map.of(), event -> open.add(event.id()));
            ids = open;
        }
        return ids;
    }
}
