package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.server.calendar.CalendarFeed;
import io.forewarn.server.calendar.CalendarReader;
import io.forewarn.server.calendar.CalendarScope;

/** Handles requests for calendars. A calendar token may narrow its calendar by the query, but not widen it. */
final class CalendarHandlers {
    private final ControlParts parts;
    private final CalendarFeed feed;

    CalendarHandlers(ControlParts parts) {
        this.parts = parts;
        this.feed = new CalendarFeed(new CalendarReader(parts.history(), parts.gateway()::rules, parts.durations()));
    }

    void calendar(RequestContext call) {
        CalendarScope scope = scope(call);
        call.readingLog(
                CalendarFeed.MEDIA_TYPE,
                () -> feed.render(
                        parts.gateway().view(), scope, parts.clock().now().wall()));
    }

    private CalendarScope scope(RequestContext call) {
        ApiToken token = call.caller().token();
        String asked = ControlHandlers.tenant(call);
        String tenant = token.everyTenant() ? asked : token.tenant();
        // Whether they still exist does not matter: a program goes on asking when the work is over.
        GroupId group = call.query("group") == null
                ? null
                : new NameLookup(parts.gateway().view(), call.caller(), tenant).groupId(call.query("group"));
        GroupId only = token.group() == null ? null : new GroupId(token.tenant(), token.group());
        return new CalendarScope(
                tenant == null && group != null ? group.tenant() : tenant,
                within("group", only, group),
                within("rollout", token.rollout(), call.query("rollout")));
    }

    private static <T> T within(String what, T only, T asked) {
        if (only != null && asked != null && !only.equals(asked)) {
            throw new AccessDeniedException(
                    Problem.NOT_FOUND, "there is no " + what + " " + asked + " that this token may access");
        }
        return asked == null ? only : asked;
    }
}
