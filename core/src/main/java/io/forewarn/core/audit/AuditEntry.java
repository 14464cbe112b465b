package io.forewarn.core.audit;

import io.forewarn.core.Actor;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;

/**
 * One line of the audit log.
 *
 * @param asked what was asked for, in short words
 * @param problem why it was refused; null if it was done
 * @param reason the sentence of the refusal; blank if it was done
 * @param lost what the store had lost when this was written; null if it is not about that
 */
public record AuditEntry(Actor actor, String asked, Problem problem, String reason, LostCommits lost) {
    /** What is longer is cut: a caller must not decide how large a page gets. */
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

    /** At least the bytes it takes in a page, however it is spelt. */
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

    /** As much of what was asked, or of a reason, as is written down. */
    public static String cut(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int end = LONGEST - 1;
        // Not in the middle of a character.
        return text.substring(0, Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end) + "…";
    }
}
