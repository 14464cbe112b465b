package io.forewarn.core.audit;

import io.forewarn.core.Actor;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;

/**
 * Represents an entry of the audit log.
 *
 * @param asked a short description of the request
 * @param problem why it was refused; null if it was done
 * @param reason the error message; blank if it was done
 * @param lost the loss that this entry records; null for other entries
 */
public record AuditEntry(Actor actor, String asked, Problem problem, String reason, LostCommits lost) {
    /** Longer texts are cut: a caller must not determine the size of a page. */
    private static final int LONGEST = 400;

    private static final int FRAME = 160;
    private static final int LONGEST_ESCAPE = 6;

    public AuditEntry {
        asked = cut(asked);
        reason = cut(reason);
    }

    public AuditEntry(Actor actor, String asked, Problem problem, String reason) {
        this(actor, asked, problem, reason, null);
    }

    public static AuditEntry done(Actor actor, String asked) {
        return new AuditEntry(actor, asked, null, "");
    }

    /** An upper bound of its bytes in a page. */
    public int weight() {
        return FRAME + weight(actor.name()) + weight(actor.from()) + weight(asked) + weight(reason);
    }

    private static int weight(String text) {
        int weight = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            weight += c >= ' ' && c < 0x7f && c != '"' && c != '\\' ? 1 : LONGEST_ESCAPE;
        }
        return weight;
    }

    /** Shortens a request or reason for the log. */
    public static String cut(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int end = LONGEST - 1;
        // Avoids splitting a character.
        return text.substring(0, Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end) + "…";
    }
}
