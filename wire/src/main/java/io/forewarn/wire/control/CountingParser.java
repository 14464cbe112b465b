package io.forewarn.wire.control;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.io.IOException;

/**
 * Refuses a fleet file that has many values but names no group or machine: reading it would cost as much as reading a fleet. What is
 * skipped counts as well.
 */
final class CountingParser extends JsonParserDelegate {
    /** Several times what a machine with all its addresses and tags has. */
    static final int MOST = 2_000;

    private int count;

    CountingParser(JsonParser parser) {
        super(parser);
    }

    /** A group or a machine was read. */
    void kept() {
        count = 0;
    }

    @Override
    public JsonToken nextToken() throws IOException {
        if (++count > MOST) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "line " + delegate.currentTokenLocation().getLineNr() + ": more than " + MOST
                            + " values without a group or machine that can be read");
        }
        return delegate.nextToken();
    }

    @Override
    public JsonParser skipChildren() throws IOException {
        int open = currentToken() != null && currentToken().isStructStart() ? 1 : 0;
        while (open > 0) {
            JsonToken next = nextToken();
            if (next == null) {
                return this;
            }
            open += next.isStructStart() ? 1 : next.isStructEnd() ? -1 : 0;
        }
        return this;
    }
}
