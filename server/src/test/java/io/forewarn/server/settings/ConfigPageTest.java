package io.forewarn.server.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Prints {@code docs/config.md} from the settings' records and what they say of their components. */
final class ConfigPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void thePageSaysWhatCanBeSet() throws IOException {
        Path file = ROOT.resolve("docs/config.md");
        String page = page();
        if (Boolean.getBoolean("docs.update")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, page);
        }
        String written = Files.exists(file) ? Files.readString(file) : "";
        assertEquals(page, written, "docs/config.md is stale: run this test with -Ddocs.update=true");
    }

    private static String page() throws IOException {
        StringBuilder page = new StringBuilder("""
                # Settings

                Generated from the code by `ConfigPageTest`; do not edit.

                A setting can be given in three places: with an option of `serve` (`--set KEY=VALUE` works for any key), in the environment, and in the file named by `--config` or `FOREWARN_CONFIG`. Options override the environment, and the environment overrides the file. The file is YAML; each dot in a key is a level of nesting:

                ```yaml
                profile: test
                terms:
                  notice: {reboot: 9m59s}
                  disable-after: 25h
                ```

                In the environment, `terms.notice.reboot` is `FOREWARN_TERMS_NOTICE_REBOOT`; separate the items of a list with commas. If a key is unknown, the server does not start, and suggests the right key; it reports all errors together, with their lines. At startup it prints the settings that differ from the defaults and where they came from, with secrets as `***`.

                Durations have units and may be sums: `30s`, `9m59s`, `25h`, `90d`, `2w`.

                | key | default | meaning |
                |---|---|---|
                """);
        for (SettingKey settingKey : SettingKey.of(Settings.defaults(Profile.AZURE, ClockSettings.Kind.SYSTEM))) {
            page.append("| `%s` | %s | %s%s |\n"
                    .formatted(settingKey.path(), usual(settingKey), meaning(settingKey), values(settingKey)));
        }
        page.append("""

                The profile `test` changes two defaults: `terms.disable-after` is `0s` and `metadata.requests-per-second` is `0`. With the manual clock, the default of `clock.resume-grace` is `0s`.
                """);
        return page.toString();
    }

    private static String usual(SettingKey settingKey) {
        String text = SettingKey.print(settingKey.usual());
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    private static String values(SettingKey settingKey) {
        Class<?> type = settingKey.component().getType();
        return type.isEnum()
                ? "; possible values: `"
                        + SettingsBinder.rule(type).replace(", ", "`, `").replace(" or ", "` or `") + "`"
                : "";
    }

    /** The component's line in its record's own Javadoc: said once, where it is made. */
    private static String meaning(SettingKey settingKey) throws IOException {
        Class<?> top = settingKey.owner();
        while (top.getEnclosingClass() != null) {
            top = top.getEnclosingClass();
        }
        String relative = "src/main/java/" + top.getName().replace('.', '/') + ".java";
        for (String module : List.of("server", "wire")) {
            Path source = ROOT.resolve(module).resolve(relative);
            if (Files.exists(source)) {
                return meaning(Files.readString(source), settingKey);
            }
        }
        throw new AssertionError("no source of " + top);
    }

    private static String meaning(String source, SettingKey settingKey) {
        int record = source.indexOf("record " + settingKey.owner().getSimpleName() + "(");
        int comment = source.lastIndexOf("/**", record);
        String javadoc = source.substring(comment, record).replaceAll("\\s*\\n\\s*\\* ?", "\n");
        Matcher param = Pattern.compile(
                        "@param " + settingKey.component().getName() + " (.*?)(?=\\n@|\\n/|$)", Pattern.DOTALL)
                .matcher(javadoc);
        if (!param.find()) {
            return "";
        }
        String text = param.group(1).strip().replaceAll("\\s+", " ").replaceAll("\\{@code ([^}]*)}", "`$1`");
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
