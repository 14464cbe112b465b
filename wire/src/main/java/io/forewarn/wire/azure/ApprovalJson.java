package io.forewarn.wire.azure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses approvals that machines post, {@code {"StartRequests":[{"EventId":"…"}]}}, and ignores other members: contract
 * §3.
 */
public final class ApprovalJson {
    private static final String RIGHT = "; the body must be {\"StartRequests\":[{\"EventId\":\"...\"}]}";
    private static final int DEPTH = 32;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
            .build();

    private ApprovalJson() {}

    /** @throws RefusedException with what is wrong with the body */
    public static List<EventId> parse(byte[] body) {
        if (body.length == 0) {
            throw refused("the body is empty" + RIGHT);
        }
        try (JsonParser json = JSON.createParser(body)) {
            return document(json);
        } catch (IOException e) {
            throw refused("the body is not JSON" + RIGHT);
        }
    }

    private static List<EventId> document(JsonParser json) throws IOException {
        JsonToken first = json.nextToken();
        if (first == null) {
            throw refused("the body is blank" + RIGHT);
        }
        if (first != JsonToken.START_OBJECT) {
            json.skipChildren();
            end(json);
            throw refused("the body is JSON, but not an object" + RIGHT);
        }
        List<EventId> ids = null;
        RefusedException wrong = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            boolean requests = json.currentName().equals("StartRequests");
            json.nextToken();
            if (!requests) {
                json.skipChildren();
            } else if (ids != null || wrong != null) {
                json.skipChildren();
                wrong = refused("StartRequests is given twice" + RIGHT);
            } else {
                Found found = requests(json);
                ids = found.ids;
                wrong = found.wrong;
            }
        }
        end(json);
        if (wrong != null) {
            throw wrong;
        }
        if (ids == null) {
            throw refused("StartRequests is missing" + RIGHT);
        }
        return ids;
    }

    /**
     * The content of StartRequests. The rest of the body is read as well, so that "not JSON" is reported before "wrong
     * JSON".
     */
    private static final class Found {
        private final List<EventId> ids = new ArrayList<>();
        private RefusedException wrong;

        private void wrong(String sentence) {
            if (wrong == null) {
                wrong = refused(sentence);
            }
        }
    }

    private static Found requests(JsonParser json) throws IOException {
        Found found = new Found();
        if (json.currentToken() != JsonToken.START_ARRAY) {
            json.skipChildren();
            found.wrong("StartRequests is not a list" + RIGHT);
            return found;
        }
        int entries = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            entries++;
            if (json.currentToken() == JsonToken.START_OBJECT) {
                entry(json, entries, found);
            } else {
                json.skipChildren();
                found.wrong("entry " + entries + " of StartRequests is not an object" + RIGHT);
            }
        }
        if (entries == 0) {
            found.wrong("StartRequests is empty; name at least one EventId");
        }
        return found;
    }

    private static void entry(JsonParser json, int number, Found found) throws IOException {
        boolean named = false;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            boolean id = json.currentName().equals("EventId");
            JsonToken value = json.nextToken();
            if (!id) {
                json.skipChildren();
            } else if (value == JsonToken.VALUE_STRING) {
                named = true;
                String text = json.getText();
                EventId.parse(text)
                        .ifPresentOrElse(
                                found.ids::add,
                                () -> found.wrong("there is no event " + shown(text)
                                        + " to start; it never existed or has ended. Nothing was approved"));
            } else {
                named = true;
                json.skipChildren();
                found.wrong("EventId in entry " + number + " of StartRequests is not a string" + RIGHT);
            }
        }
        if (!named) {
            found.wrong("entry " + number + " of StartRequests has no EventId" + RIGHT);
        }
    }

    private static void end(JsonParser json) throws IOException {
        if (json.nextToken() != null) {
            throw refused("there is something after the JSON object" + RIGHT);
        }
    }

    private static String shown(String text) {
        return text.length() <= 64 ? text : text.substring(0, 64) + "...";
    }

    private static RefusedException refused(String sentence) {
        return new RefusedException(Problem.BAD_INPUT, sentence);
    }
}
