package io.forewarn.server.settings;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.SettingBody;
import io.forewarn.wire.control.ValidationProblems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Loads the settings of a server from defaults, file, environment and flags.
 *
 * @param differences settings that differ from their defaults and where they came from, secrets hidden
 */
public record LoadedSettings(Settings settings, List<ChangedSetting> differences) {
    private static final String PREFIX = "FOREWARN_";
    // Named like settings, but read by the command line and its start script.
    private static final List<String> OTHERS = List.of(
            "FOREWARN_URL",
            "FOREWARN_TOKEN",
            "FOREWARN_CA",
            "FOREWARN_CONFIG",
            "FOREWARN_HOME",
            "FOREWARN_JAVA",
            "FOREWARN_IMAGE");

    /** All settings, in the order of {@code docs/config.md}. */
    public List<SettingBody> all() {
        return describe(settings, differences);
    }

    /** The same without knowing where values came from. */
    public static List<SettingBody> describe(Settings settings) {
        return describe(settings, List.of());
    }

    private static List<SettingBody> describe(Settings settings, List<ChangedSetting> differences) {
        Map<String, String> origins =
                differences.stream().collect(Collectors.toMap(ChangedSetting::key, ChangedSetting::origin));
        return SettingKey.of(settings).stream()
                .map(key -> new SettingBody(
                        key.path(),
                        key.secret() && !SettingKey.print(key.usual()).isEmpty()
                                ? "***"
                                : SettingKey.print(key.usual()),
                        origins.get(key.path())))
                .toList();
    }

    /**
     * Applies the defaults, then the file, then the environment, then flags.
     *
     * @param file null for none
     * @param flags by key, such as {@code listen.metadata}
     * @throws RefusedException with all problems, one per line
     */
    public static LoadedSettings load(Path file, Map<String, String> environment, Map<String, String> flags) {
        ValidationProblems validationProblems = new ValidationProblems();
        Map<String, GivenValue> named = new LinkedHashMap<>();
        List<SettingKey> keys = SettingKey.of(Settings.defaults(Profile.AZURE, ClockSettings.Kind.SYSTEM));
        List<String> paths = keys.stream().map(SettingKey::path).toList();
        if (file != null) {
            named.putAll(ConfigFile.read(file, validationProblems));
        }
        for (String path : namesOf(paths)) {
            String variable = SettingKey.variable(path);
            Optional.ofNullable(environment.get(variable)).ifPresent(v -> named.put(path, GivenValue.one(v, variable)));
        }
        flags.forEach((path, value) -> named.put(path, GivenValue.one(value, "flag")));
        Map<String, GivenValue> given = FormerSettings.renamed(named, validationProblems);
        given.forEach((path, value) -> {
            // A section without keys.
            boolean empty = value.text().isBlank() && paths.stream().anyMatch(p -> p.startsWith(path + "."));
            Optional<String> below =
                    paths.stream().filter(p -> p.startsWith(path + ".")).findFirst();
            if (below.isPresent() && !empty) {
                validationProblems.add(
                        value.line(), "'" + path + "' is a section with keys such as " + below.get() + ", not a value");
            } else if (!paths.contains(path) && !empty) {
                validationProblems.unknownKey(value.line(), path, near(path, paths));
            }
        });
        misspeltVariables(environment, paths, validationProblems);

        Profile profile = choice(Profile.class, given.get("profile"), Profile.AZURE);
        ClockSettings.Kind clock = choice(ClockSettings.Kind.class, given.get("clock.kind"), ClockSettings.Kind.SYSTEM);
        Settings settings = new SettingsBinder(given, validationProblems).bind(Settings.defaults(profile, clock));
        if (!validationProblems.none()) {
            String whose = file == null ? "the settings are wrong:" : "the settings are wrong (" + file + "):";
            throw new RefusedException(Problem.BAD_INPUT, whose + "\n" + String.join("\n", validationProblems.told()));
        }
        return new LoadedSettings(settings, differences(settings, keys, given));
    }

    /** Prefers suggestions from the same section. */
    private static List<String> near(String path, List<String> paths) {
        if (NameRules.nearest(path, paths).isPresent()) {
            return paths;
        }
        String part = path.contains(".") ? path.substring(0, path.indexOf('.') + 1) : "";
        List<String> siblings = part.isEmpty()
                ? List.of()
                : paths.stream().filter(p -> p.startsWith(part)).toList();
        return siblings.isEmpty()
                ? paths.stream().map(p -> p.replaceAll("\\..*", "")).distinct().toList()
                : siblings;
    }

    /** The names of all settings, former ones included. */
    private static Set<String> namesOf(List<String> paths) {
        Set<String> names = new LinkedHashSet<>(paths);
        paths.forEach(path -> names.addAll(FormerSettings.former(path)));
        return names;
    }

    private static void misspeltVariables(
            Map<String, String> environment, List<String> paths, ValidationProblems validationProblems) {
        Set<String> known = namesOf(paths).stream().map(SettingKey::variable).collect(Collectors.toSet());
        // Compared without the common prefix, which would make all names similar.
        List<String> variables = paths.stream()
                .map(path -> SettingKey.variable(path).substring(PREFIX.length()))
                .toList();
        environment.keySet().stream()
                .filter(v -> v.startsWith(PREFIX) && !OTHERS.contains(v) && !known.contains(v))
                .map(v -> v.substring(PREFIX.length()))
                .sorted()
                .forEach(v -> NameRules.nearest(v, variables)
                        .ifPresent(n -> validationProblems.add(
                                0, "unknown variable FOREWARN_" + v + "; did you mean FOREWARN_" + n + "?")));
    }

    private static <E extends Enum<E>> E choice(Class<E> type, GivenValue givenValue, E usual) {
        return givenValue == null
                ? usual
                : EnumNames.parse(type, givenValue.text()).orElse(usual);
    }

    private static List<ChangedSetting> differences(
            Settings settings, List<SettingKey> usual, Map<String, GivenValue> given) {
        List<SettingKey> now = SettingKey.of(settings);
        List<ChangedSetting> differences = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            SettingKey settingKey = now.get(i);
            if (!SettingKey.print(settingKey.usual())
                    .equals(SettingKey.print(usual.get(i).usual()))) {
                GivenValue from = given.get(settingKey.path());
                String value = settingKey.secret() ? "***" : SettingKey.print(settingKey.usual());
                differences.add(new ChangedSetting(
                        settingKey.path(), value, from == null ? "from the profile or clock" : from.origin()));
            }
        }
        return differences;
    }
}
