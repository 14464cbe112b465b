package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Both start scripts give commands that only talk to a server few jars. */
class StartScriptsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern WORDS = Pattern.compile("\\n  (audit \\|[^)]*)\\)");
    /** They open a store, read settings, or show the options of those that do. */
    private static final Set<String> WHOLE = Set.of("serve", "doctor", "store", "completion", "help");

    private static final Set<String> USERS_OF_THE_SERVER =
            Set.of("DoctorCommand", "FirstSteps", "ServeCommand", "ServeFlags", "StoreCommand");
    private static final Pattern FEW = Pattern.compile("/(cli|core|wire)/|/(cli|core|wire|jackson|picocli|snakeyaml)-");

    @Test
    void bothScriptsNameTheSameCommands() throws IOException {
        Set<String> few = new TreeSet<>(Main.COMMANDS);
        few.removeAll(WHOLE);
        few.add("--version");
        assertEquals(few, words(ROOT.resolve("forewarn")));
        assertEquals(few, words(ROOT.resolve("packaging/launcher")));
    }

    private static Set<String> words(Path script) throws IOException {
        Matcher words = WORDS.matcher(Files.readString(script));
        assertTrue(words.find(), script.toString());
        return new TreeSet<>(Arrays.asList(words.group(1).split(" \\| ")));
    }

    @Test
    void theseCommandsCanBeSetUpWithoutTheServer() throws Exception {
        try (URLClassLoader few = new URLClassLoader(few(), ClassLoader.getPlatformClassLoader())) {
            Method line = few.loadClass(Main.class.getName()).getDeclaredMethod("line", String[].class);
            line.setAccessible(true);
            for (String word : words(ROOT.resolve("forewarn"))) {
                assertNotNull(line.invoke(null, (Object) new String[] {word}), word);
            }
        }
    }

    @Test
    void noOtherCommandUsesTheServer() throws IOException {
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/forewarn/cli"))) {
            List<Path> all = sources.toList();
            Set<String> users = new TreeSet<>();
            for (Path source : all) {
                if (Files.readString(source).contains("io.forewarn.server")) {
                    users.add(source.getFileName().toString().replace(".java", ""));
                }
            }
            assertEquals(new TreeSet<>(USERS_OF_THE_SERVER), users);
        }
    }

    private static URL[] few() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> FEW.matcher(path).find())
                .collect(Collectors.toList())) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
