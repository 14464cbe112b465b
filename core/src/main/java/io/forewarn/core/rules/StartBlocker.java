package io.forewarn.core.rules;

import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Why an event may not start yet although it is approved or its notice is over.
 *
 * @param why for people
 * @param until when to check again; null if that depends on something that happens, not on time
 * @param elsewhere the other group that is named in the reason; null if none is
 * @param toOthers the reason for those who may not know that group; null if all may read it
 */
public record StartBlocker(String why, Instant until, GroupId elsewhere, String toOthers) {
    public StartBlocker(String why, Instant until) {
        this(why, until, null, null);
    }

    /** The same for a caller who may see only some groups. */
    public StartBlocker toldTo(Predicate<GroupId> mayKnow) {
        return elsewhere == null || mayKnow.test(elsewhere) ? this : new StartBlocker(toOthers, until);
    }
}
