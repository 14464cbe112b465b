package io.forewarn.records;

import io.forewarn.core.Actor;
import java.io.IOException;

/** Reads and writes actors. */
final class ActorJson {
    private ActorJson() {}

    static void write(JsonWriter out, String name, Actor actor) throws IOException {
        out.open(name);
        out.constant("kind", actor.kind());
        out.blankable("name", actor.name());
        out.blankable("from", actor.from());
        out.close();
    }

    static Actor read(JsonReader in) throws IOException {
        Actor.Kind kind = null;
        String who = "";
        String from = "";
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "kind" -> kind = in.constant(Actor.Kind.class);
                case "name" -> who = in.sharedText();
                case "from" -> from = in.sharedText();
                default -> in.skip();
            }
        }
        return new Actor(DamagedRecordException.unlessNull(kind, "kind"), who, from);
    }
}
