package io.forewarn.core.rules;

import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Why an event may not start yet although it is approved or its notice is over.
 *
 * @param why for people
 * @param until when it ends; null if that depends on something that happens, not on time
 * @param recheck when to check whether it has ended if nothing says so; null if something does, or the end is known
 * @param elsewhere the other group that is named in the reason; null if none is
 * @param toOthers the reason for those who may not know that group; null if all may read it
 */
public record StartBlocker(String why, Instant until, Instant recheck, GroupId elsewhere, String toOthers) {
    public StartBlocker(String why, Instant until) {
        this(why, until, null, null, null);
    }

    public StartBlocker(String why, Instant until, GroupId elsewhere, String toOthers) {
        this(why, until, null, elsewhere, toOthers);
    }

    /** One that ends at a time that nobody knows, and without notice. */
    static StartBlocker unknownEnd(String why, Instant recheck) {
        return new StartBlocker(why, null, recheck, null, null);
    }

    /** The same for the other groups of its unit, with what those may read who must not know this one. */
    StartBlocker inGroup(String reason, GroupId group, String others) {
        return new StartBlocker(reason, until, recheck, group, others);
    }

    /** When to look at it again. */
    Instant next() {
        return until == null ? recheck : until;
    }

    /** The same for a caller who may see only some groups. */
    public StartBlocker toldTo(Predicate<GroupId> mayKnow) {
        return elsewhere == null || mayKnow.test(elsewhere)
                ? this
                : new StartBlocker(toOthers, until, recheck, null, null);
    }
}
