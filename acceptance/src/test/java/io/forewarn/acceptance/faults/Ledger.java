package io.forewarn.acceptance.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What callers were told: the server must stand by all of it, whatever becomes of it. */
public final class Ledger {
    /** A command under a key, so that it can be asked again. */
    public record Command(String key, String path, String body) {
        private static final Pattern NOTICE = Pattern.compile("\"notice\":\"(\\d+)ms\"");

        /** How much notice it asks for; empty if it does not say. */
        public OptionalLong noticeMillis() {
            Matcher notice = NOTICE.matcher(body);
            return notice.find() ? OptionalLong.of(Long.parseLong(notice.group(1))) : OptionalLong.empty();
        }

        public boolean cancels() {
            return path.endsWith("/cancel");
        }

        public boolean approves() {
            return path.endsWith("/approve");
        }

        private boolean asksFor(String machine, String cause, Optional<Duration> promised) {
            long asked = promised.map(Duration::toMillis).orElse(-1L);
            return path.equals("/v1/machines/" + machine + "/" + cause.replace("failure", "fail"))
                    && (promised.isEmpty() || noticeMillis().orElse(asked) == asked);
        }
    }

    private final Set<String> events = new HashSet<>();
    private final Set<String> cancelled = new HashSet<>();
    private final Set<String> approved = new HashSet<>();
    private final Set<String> approvalsTried = new HashSet<>();
    private final List<Command> lost = new ArrayList<>();
    private final List<Command> refused = new ArrayList<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, String> documents = new HashMap<>();
    private final Map<String, Instant> notBefore = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private long acknowledged;
    private long late;
    private long polls;

    public synchronized void acknowledged(Command command, List<String> ids) {
        acknowledged++;
        events.addAll(ids);
        if (command.cancels()) {
            cancelled.addAll(ids);
        } else if (command.approves()) {
            approved.addAll(ids);
        }
    }

    /** Nobody answered: it may have been done, or not. */
    public synchronized void lost(Command command) {
        lost.add(command);
    }

    /** The commands nobody answered, once. */
    public synchronized List<Command> takeLost() {
        List<Command> taken = List.copyOf(lost);
        lost.clear();
        return taken;
    }

    /** Refused when it was asked again; but a copy nobody answered may still be on its way, and be done when it can be. */
    public synchronized void refusedAfterLost(Command command) {
        refused.add(command);
    }

    /** Whether such a copy asked for this event. Each of them is done once at most. */
    synchronized boolean cameLate(String event, String machine, String cause, Optional<Duration> promised) {
        for (Command command : refused) {
            if (command.asksFor(machine, cause, promised)) {
                refused.remove(command);
                events.add(event);
                late++;
                return true;
            }
        }
        return false;
    }

    /** How many events were asked for by copies that came late. */
    public synchronized long late() {
        return late;
    }

    public synchronized void tryingToApprove(String event) {
        approvalsTried.add(event);
    }

    public synchronized void approved(String event) {
        acknowledged++;
        approved.add(event);
    }

    public synchronized List<String> known() {
        return List.copyOf(events);
    }

    /** The least incarnation that a poll beginning now may show. */
    public synchronized long floor(String group) {
        return highest.getOrDefault(group, 1L);
    }

    /** A document was handed out. */
    public synchronized void polled(String group, long floor, String body, JsonNode document) {
        polled(group, group, floor, body, document);
    }

    /** @param who whose incarnations never go back: a group, or a group as one node shows it */
    public synchronized void polled(String who, String group, long floor, String body, JsonNode document) {
        polls++;
        long incarnation = document.path("DocumentIncarnation").asLong();
        if (incarnation < floor) {
            violations.add(who + " went back from incarnation " + floor + " to " + incarnation);
        }
        highest.merge(group, incarnation, Math::max);
        String before = documents.putIfAbsent(group + "#" + incarnation, body);
        if (before != null && !before.equals(body)) {
            violations.add(group + " shows incarnation " + incarnation + " as " + before + " and as " + body);
        }
        for (JsonNode event : document.path("Events")) {
            String at = event.path("NotBefore").asText();
            if (!at.isEmpty()) {
                Instant shown = ZonedDateTime.parse(at, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant();
                Instant known = notBefore.merge(event.path("EventId").asText(), shown, (a, b) -> a.isAfter(b) ? a : b);
                if (incarnation >= highest.get(group) && known.isAfter(shown)) {
                    violations.add(event.path("EventId").asText() + " moved its NotBefore earlier, from " + known
                            + " to " + shown);
                }
            }
        }
    }

    public synchronized void violated(String sentence) {
        violations.add(sentence);
    }

    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    public synchronized Set<String> events() {
        return Set.copyOf(events);
    }

    public synchronized Set<String> cancelled() {
        return Set.copyOf(cancelled);
    }

    public synchronized Set<String> approved() {
        return Set.copyOf(approved);
    }

    public synchronized boolean approvalTried(String event) {
        return approvalsTried.contains(event);
    }

    /** The latest NotBefore any machine was shown; null if none was. */
    public synchronized Instant shownNotBefore(String event) {
        return notBefore.get(event);
    }

    public synchronized long acknowledged() {
        return acknowledged;
    }

    public synchronized long polls() {
        return polls;
    }
}
