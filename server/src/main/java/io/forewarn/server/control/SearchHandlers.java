package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.SearchResultBody;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Handles searches over the names of everything that a caller may see. */
final class SearchHandlers {
    private static final long USUAL = 10;
    private static final long MOST = 100;
    private static final int NAMED = 3;

    private final CommandGateway gateway;
    private final RolloutBodies rollouts;

    SearchHandlers(ControlParts parts) {
        this.gateway = parts.gateway();
        this.rollouts = new RolloutBodies(parts);
    }

    /** @param names what may contain the text; the first one is shown */
    private record Candidate(SearchResultBody body, List<String> names) {
        Candidate(String kind, String tenant, String name, String detail, String... more) {
            this(
                    new SearchResultBody(kind, tenant, name, detail),
                    Stream.concat(Stream.of(name), Stream.of(more)).toList());
        }

        boolean matches(Predicate<String> test) {
            return names.stream().anyMatch(n -> test.test(n.toLowerCase(Locale.ROOT)));
        }
    }

    void search(RequestContext call) {
        ControlHandlers.tenant(call);
        String text = Objects.requireNonNullElse(HistoryHandlers.searched(call), "");
        if (text.isEmpty()) {
            throw new RefusedException(Problem.BAD_INPUT, "there is no text to search for; use ?text=web");
        }
        long limit = Math.min(call.limit(USUAL), MOST);
        ControlHandlers.list(call, json -> {
            ListFilter filter = new ListFilter(gateway.view(), call);
            List<GroupView> groups = filter.groups().toList();
            List<Supplier<Stream<Candidate>>> kinds = List.of(
                    () -> groups.stream().flatMap(g -> g.machines().stream()).map(SearchHandlers::machine),
                    () -> groups.stream().map(SearchHandlers::group),
                    () -> filter.hosts("*").map(host -> new Candidate("host", null, host, null)),
                    () -> groups.stream().flatMap(SearchHandlers::events),
                    () -> gateway.view().rollouts().stream()
                            .sorted(Comparator.comparing(Rollout::createdAt).reversed())
                            .map(SearchHandlers::rollout)
                            .filter(r -> r.matches(name -> name.contains(text)))
                            .filter(r -> isVisible(call.caller(), r)));
            for (Supplier<Stream<Candidate>> kind : kinds) {
                for (SearchResultBody found : find(kind, text, limit)) {
                    json.writePOJO(found);
                }
            }
        });
    }

    /** Names that begin with the text come first. */
    private static Set<SearchResultBody> find(Supplier<Stream<Candidate>> all, String text, long limit) {
        Set<SearchResultBody> found = new LinkedHashSet<>();
        List<Predicate<String>> tests = List.of(name -> name.startsWith(text), name -> name.contains(text));
        for (Predicate<String> test : tests) {
            all.get()
                    .filter(candidate -> candidate.matches(test))
                    .map(Candidate::body)
                    .filter(body -> !found.contains(body))
                    .limit(limit - found.size())
                    .toList()
                    .forEach(found::add);
        }
        return found;
    }

    private static Candidate machine(Machine machine) {
        List<String> detail = new ArrayList<>();
        detail.add("group " + machine.group().name());
        if (!machine.host().isEmpty()) {
            detail.add("host " + machine.host());
        }
        return new Candidate("machine", machine.id().tenant(), machine.name(), String.join(", ", detail));
    }

    private static Candidate group(GroupView group) {
        int size = group.machines().size();
        return new Candidate(
                "group", group.id().tenant(), group.id().name(), size == 1 ? "1 machine" : size + " machines");
    }

    /** An event is found by its id, its description and the names of its machines. */
    private static Stream<Candidate> events(GroupView group) {
        return group.state().events().stream().map(event -> {
            List<String> names = new ArrayList<>(event.resources());
            names.add(event.id().toString());
            names.add(event.work().description());
            return new Candidate(
                    new SearchResultBody(
                            "event", group.id().tenant(), event.id().toString(), words(event)),
                    names);
        });
    }

    private static String words(Event event) {
        int more = event.resources().size() - NAMED;
        return EnumNames.of(event.phase()) + " " + EnumNames.of(event.type()) + " of "
                + String.join(", ", event.resources().stream().limit(NAMED).toList())
                + (more > 0 ? " and " + more + " more" : "");
    }

    private static Candidate rollout(Rollout rollout) {
        return new Candidate(
                "rollout",
                null,
                rollout.name(),
                EnumNames.of(rollout.status()) + ", "
                        + EnumNames.of(rollout.spec().cause().type()));
    }

    private boolean isVisible(Caller caller, Candidate rollout) {
        return gateway.view()
                .rollout(rollout.body().name())
                .filter(known -> rollouts.isVisible(caller, known))
                .isPresent();
    }
}
