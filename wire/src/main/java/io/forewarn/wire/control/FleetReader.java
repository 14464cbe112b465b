package io.forewarn.wire.control;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.MemoryEstimate;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Parses a fleet file as a stream: YAML with {@code groups} and {@code machines}, or JSON Lines with one
 * <code>{"group":{…}}</code> or <code>{"machine":{…}}</code> per line. Both are parsed into tokens with line numbers,
 * so that one reader serves both. The format is checked here; whether the content fits the present fleet is checked by
 * the rules.
 */
public final class FleetReader {
    private static final List<String> ROOT = List.of("groups", "machines", "group", "machine");
    static final List<String> GROUP = List.of("name", "tenant", "kind", "update-domains", "fault-domains");
    static final List<String> MACHINE = List.of(
            "name", "tenant", "group", "update-domain", "fault-domain", "host", "addresses", "listen", "spot", "tags");
    private static final int LONGEST_TEXT = 1024;
    private static final int LONGEST_LIST = 64;
    private static final int MANY_DOMAINS = 1_000;

    private static final int BUFFER = 1 << 16;
    private static final Set<Integer> MARK = Set.of(0xEF, 0xBB, 0xBF);

    /** Enough for a machine with all its tags on one line; far less than what makes the YAML library slow. */
    static final int LONGEST_LINE = 1 << 16;

    /** Enough for a million machines that have a group each. */
    private static final int MOST = 2_000_000;

    private final int most;
    private final LongConsumer kept;
    private final String tenant;
    private final ValidationProblems validationProblems = new ValidationProblems();
    private final List<GroupSpec> groups = new ArrayList<>();
    private final List<MachineSpec> machines = new ArrayList<>();
    // A million machines share few hosts and groups: each string is kept once.
    private final Map<String, String> texts = new HashMap<>();
    private final Map<GroupId, GroupId> groupIds = new HashMap<>();

    private CountingParser in;
    /** The same file; null if it is JSON. */
    private YAMLParser yaml;

    private boolean given;

    private UnaryOperator<MachineId> known = id -> id;

    private FleetReader(String tenant, int most, LongConsumer kept) {
        this.kept = kept;
        this.most = most;
        this.tenant = tenant;
    }

    /**
     * @param tenant the tenant of groups and machines that have none
     * @throws RefusedException with all problems, one per line
     */
    public static FleetSpec read(InputStream file, String tenant) throws IOException {
        return read(file, tenant, MOST, bytes -> {});
    }

    /**
     * The same, with a check of the memory that the result will take.
     *
     * @param kept receives the estimated memory of each group and machine before it is kept, and may refuse it
     * @param known returns an equal id that is in memory anyway, or the same
     */
    public static FleetSpec read(InputStream file, String tenant, LongConsumer kept, UnaryOperator<MachineId> known)
            throws IOException {
        FleetReader reader = new FleetReader(tenant, MOST, kept);
        reader.known = known;
        return read(file, reader);
    }

    static FleetSpec read(InputStream file, String tenant, int most, LongConsumer kept) throws IOException {
        return read(file, new FleetReader(tenant, most, kept));
    }

    private static FleetSpec read(InputStream file, FleetReader reader) throws IOException {
        InputStream buffered = new BufferedInputStream(file, BUFFER);
        try (JsonParser parser = parser(buffered)) {
            reader.yaml = parser instanceof YAMLParser its ? its : null;
            reader.in = new CountingParser(parser);
            reader.root();
        } catch (JsonProcessingException broken) {
            SyntaxErrors told = SyntaxErrors.of(broken);
            reader.validationProblems.add(told.line(), told.sentence());
        }
        reader.validationProblems.refuse();
        if (!reader.given) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the fleet file is empty; it must begin with 'groups:' or 'machines:'");
        }
        return new FleetSpec(reader.groups, reader.machines);
    }

    /** Parses the body of a single group or machine, whose name is in the path. */
    public static FleetSpec readOne(String kind, String tenant, String name, byte[] body) throws IOException {
        String key = Json.mapper().writeValueAsString(name);
        String text = new String(body, StandardCharsets.UTF_8).strip();
        String rest = text.isEmpty() ? "{}" : text;
        if (!rest.startsWith("{")) {
            throw new RefusedException(Problem.BAD_INPUT, "the body is not a JSON object");
        }
        String comma = rest.substring(1).strip().startsWith("}") ? "" : ",";
        String line = "{\"" + kind + "\":{\"name\":" + key + comma + rest.substring(1) + "}";
        try {
            FleetSpec spec = read(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)), tenant);
            return new FleetSpec(
                    spec.groups().stream().map(FleetReader::lineless).toList(),
                    spec.machines().stream().map(FleetReader::lineless).toList());
        } catch (RefusedException faults) {
            // Line numbers make no sense for a single body.
            throw new RefusedException(faults.problem(), faults.getMessage().replaceAll("(?m)^line \\d+: ", ""));
        }
    }

    private static GroupSpec lineless(GroupSpec g) {
        return new GroupSpec(0, g.id(), g.kind(), g.updateDomains(), g.faultDomains());
    }

    private static MachineSpec lineless(MachineSpec m) {
        return new MachineSpec(
                0,
                m.id(),
                m.group(),
                m.updateDomain(),
                m.faultDomain(),
                m.host(),
                m.addresses(),
                m.listen(),
                m.spot(),
                m.tags());
    }

    private static JsonParser parser(InputStream file) throws IOException {
        StreamReadConstraints bounds = StreamReadConstraints.builder()
                .maxNestingDepth(10)
                .maxStringLength(1 << 16)
                .build();
        if (beginsWithBrace(file)) {
            return JsonFactory.builder().streamReadConstraints(bounds).build().createParser(file);
        }
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .streamReadConstraints(bounds)
                .build()
                .createParser(new LineLimitStream(file, LONGEST_LINE));
    }

    /** Whether it is JSON, skipping white space and a byte order mark. */
    private static boolean beginsWithBrace(InputStream file) throws IOException {
        file.mark(BUFFER);
        int c = file.read();
        for (int i = 1; i < BUFFER && c >= 0 && (Character.isWhitespace(c) || MARK.contains(c)); i++) {
            c = file.read();
        }
        file.reset();
        return c == '{';
    }

    private void root() throws IOException {
        for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
            if (token == JsonToken.VALUE_NULL || blank(token)) {
                continue;
            }
            if (token != JsonToken.START_OBJECT) {
                fault(line(), "expected 'groups' and 'machines'");
                in.skipChildren();
                continue;
            }
            given = true;
            Keys keys = new Keys(ROOT);
            for (String key = keys.next(); key != null; key = keys.next()) {
                in.nextToken();
                switch (key) {
                    case "groups" -> list(key, this::group);
                    case "machines" -> list(key, this::machine);
                    case "group" -> object(key, this::group);
                    default -> object(key, this::machine);
                }
            }
        }
    }

    private boolean blank(JsonToken token) throws IOException {
        return token == JsonToken.VALUE_STRING && in.getText().isBlank();
    }

    private interface Part {
        void read() throws IOException;
    }

    private void list(String what, Part item) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NULL || blank(in.currentToken())) {
            return;
        }
        if (in.currentToken() != JsonToken.START_ARRAY) {
            fault(line(), "'" + what + "' must be a list");
            in.skipChildren();
            return;
        }
        while (in.nextToken() != JsonToken.END_ARRAY) {
            object("an item of '" + what + "'", item);
        }
    }

    private void object(String what, Part part) throws IOException {
        if (in.currentToken() == JsonToken.START_OBJECT) {
            part.read();
        } else {
            fault(line(), what + " must have keys, as in {name: …}");
            in.skipChildren();
        }
    }

    private void group() throws IOException {
        int line = line();
        String name = null;
        String owner = tenant;
        GroupKind kind = null;
        Integer updateDomains = null;
        Integer faultDomains = null;
        Keys keys = new Keys(GROUP);
        for (String key = keys.next(); key != null; key = keys.next()) {
            in.nextToken();
            switch (key) {
                case "name" -> name = text(key);
                case "tenant" -> owner = text(key);
                case "kind" -> kind = kind(text(key));
                case "update-domains" -> updateDomains = number(key, 1);
                default -> faultDomains = number(key, 1);
            }
        }
        if (!keys.seen.contains("name")) {
            fault(line, "a group has no 'name'");
        }
        if (name != null && owner != null) {
            mustHaveRoom();
            GroupSpec spec = new GroupSpec(line, groupId(owner, name), kind, updateDomains, faultDomains);
            kept.accept(MemoryEstimate.of(spec));
            groups.add(spec);
            in.kept();
        }
    }

    private void machine() throws IOException {
        int line = line();
        String name = null;
        String owner = tenant;
        String group = null;
        Integer updateDomain = null;
        Integer faultDomain = null;
        String host = "";
        List<String> addresses = List.of();
        String listen = "";
        boolean spot = false;
        Map<String, String> tags = Map.of();
        Keys keys = new Keys(MACHINE);
        for (String key = keys.next(); key != null; key = keys.next()) {
            in.nextToken();
            switch (key) {
                case "name" -> name = text(key);
                case "tenant" -> owner = text(key);
                case "group" -> group = text(key);
                case "update-domain" -> updateDomain = number(key, 0);
                case "fault-domain" -> faultDomain = number(key, 0);
                case "host" -> host = orBlank(text(key));
                case "addresses" -> addresses = texts(key);
                case "listen" -> listen = orBlank(text(key));
                case "spot" -> spot = truth(key);
                default -> tags = tags(key);
            }
        }
        if (!keys.seen.contains("name")) {
            fault(line, "a machine has no 'name'");
        }
        if (name != null && owner != null) {
            mustHaveRoom();
            GroupId in = group == null ? null : groupId(owner, group);
            MachineSpec spec = new MachineSpec(
                    line,
                    known.apply(new MachineId(owner, name)),
                    in,
                    updateDomain,
                    faultDomain,
                    host,
                    addresses,
                    listen,
                    spot,
                    tags);
            kept.accept(MemoryEstimate.of(spec));
            machines.add(spec);
            this.in.kept();
        }
    }

    /** Refuses at once, not together with other problems, because everything that is read is kept in memory. */
    private void mustHaveRoom() {
        if (groups.size() + machines.size() >= most) {
            throw new RefusedException(
                    Problem.TOO_LARGE,
                    "the fleet file has more than " + most
                            + " groups and machines; apply it in parts, without --prune");
        }
    }

    private void fault(int line, String sentence) {
        validationProblems.add(line, sentence);
        validationProblems.refuseIfMany();
    }

    /** Iterates over the keys of an object: unknown and duplicate keys are problems; unknown ones are skipped. */
    private final class Keys {
        private final List<String> known;
        private final Set<String> seen = new HashSet<>();

        Keys(List<String> known) {
            this.known = known;
        }

        String next() throws IOException {
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String written = in.currentName();
                String key = known.contains(written) ? written : EnumNames.kebab(written);
                if (!known.contains(key)) {
                    validationProblems.unknownKey(line(), written, known);
                    validationProblems.refuseIfMany();
                } else if (!seen.add(key)) {
                    fault(line(), "'" + written + "' is given twice");
                } else {
                    return key;
                }
                in.nextToken();
                in.skipChildren();
            }
            return null;
        }
    }

    private GroupKind kind(String word) {
        if (word == null) {
            return null;
        }
        GroupKind kind = EnumNames.parse(GroupKind.class, word).orElse(null);
        if (kind == null) {
            String hint = NameRules.nearest(word, EnumNames.all(GroupKind.class))
                    .map(n -> "did you mean '" + n + "'?")
                    .orElse("kinds are " + kinds());
            fault(line(), "unknown kind '" + word + "'; " + hint);
        }
        return kind;
    }

    private static String kinds() {
        return EnumNames.either(EnumNames.all(GroupKind.class));
    }

    private String text(String key) throws IOException {
        if (!in.currentToken().isScalarValue() || in.currentToken() == JsonToken.VALUE_NULL || alias()) {
            fault(line(), "'" + key + "' must be a string" + (alias() ? "; aliases are not supported" : ""));
            in.skipChildren();
            return null;
        }
        String text = in.getText();
        if (text.length() > LONGEST_TEXT) {
            fault(line(), "'" + key + "' is longer than " + LONGEST_TEXT + " characters");
            return null;
        }
        return key.equals("name") || key.equals("addresses") ? text : once(text);
    }

    private boolean alias() throws IOException {
        return yaml != null && yaml.isCurrentAlias();
    }

    private Integer number(String key, int least) throws IOException {
        JsonToken token = in.currentToken();
        int value = token == JsonToken.VALUE_NUMBER_INT && in.getNumberType() == JsonParser.NumberType.INT
                ? in.getIntValue()
                : -1;
        if (value < least || value > MANY_DOMAINS) {
            fault(line(), "'" + key + "' must be a whole number from " + least + " to " + MANY_DOMAINS);
            in.skipChildren();
            return null;
        }
        return value;
    }

    private boolean truth(String key) throws IOException {
        if (!in.currentToken().isBoolean()) {
            fault(line(), "'" + key + "' must be true or false");
            in.skipChildren();
        }
        return in.currentToken() == JsonToken.VALUE_TRUE;
    }

    private List<String> texts(String key) throws IOException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            fault(line(), "'" + key + "' must be a list, as in [10.0.0.4]");
            in.skipChildren();
            return List.of();
        }
        List<String> texts = new ArrayList<>(1);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            String text = text(key);
            if (text != null) {
                texts.add(text);
            }
        }
        if (texts.size() > LONGEST_LIST) {
            fault(line(), "'" + key + "' has more than " + LONGEST_LIST + " items");
        }
        return List.copyOf(texts);
    }

    private Map<String, String> tags(String key) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            fault(line(), "'" + key + "' must have keys, as in {env: demo}");
            in.skipChildren();
            return Map.of();
        }
        Map<String, String> tags = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String tag = once(in.currentName());
            in.nextToken();
            String value = text(tag);
            if (value != null && tags.put(tag, value) != null) {
                fault(line(), "tag '" + tag + "' is given twice");
            }
        }
        if (tags.size() > LONGEST_LIST) {
            fault(line(), "a machine has more than " + LONGEST_LIST + " tags");
        }
        return Map.copyOf(tags);
    }

    private GroupId groupId(String owner, String name) {
        GroupId id = new GroupId(owner, name);
        return groupIds.computeIfAbsent(id, same -> same);
    }

    private String once(String text) {
        return texts.size() > 1_000_000 ? text : texts.computeIfAbsent(text, same -> same);
    }

    private static String orBlank(String text) {
        return text == null ? "" : text;
    }

    private int line() {
        return in.currentTokenLocation().getLineNr();
    }
}
