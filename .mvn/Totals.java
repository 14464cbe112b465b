import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Counts the test reports of all modules for ./test: {@code java Totals.java STATUS-OF-MAVEN LOG BUILD-FOLDER}. */
final class Totals {
    /** What Maven logs, and then ignores with the failures, when a test process died and left no report. */
    private static final Pattern DIED = Pattern.compile(
            "^\\[ERROR\\].*(forked VM terminated|There was a timeout|Error occurred in starting fork|crashed).*",
            Pattern.CASE_INSENSITIVE);

    private int passed;
    private final List<String> failed = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        Totals totals = new Totals();
        for (Path report : reports(args[2])) {
            totals.read(report);
        }
        List<String> log = Files.readAllLines(Path.of(args[1]));
        totals.blame(Integer.parseInt(args[0]), log);
        totals.format(log);
        totals.print();
        System.exit(totals.failed.isEmpty() ? 0 : 1);
    }

    private static List<Path> reports(String folder) throws Exception {
        try (Stream<Path> files = Files.walk(Path.of("."), 5)) {
            return files.filter(file -> file.toString().matches(".*/" + folder + "/(surefire|failsafe)-reports/TEST-.*\\.xml"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private void read(Path report) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        NodeList cases = builder.parse(report.toFile()).getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            String name = test.getAttribute("classname").replaceFirst(".*\\.", "") + "." + test.getAttribute("name");
            Element skip = child(test, "skipped");
            Element failure = child(test, "failure") != null ? child(test, "failure") : child(test, "error");
            if (failure != null) {
                failed.add(name + ": " + lines(failure, 6));
            } else if (skip != null) {
                skipped.add(name + ": " + lines(skip, 1).replaceFirst(".*Assumption failed: ", ""));
            } else {
                passed++;
            }
        }
    }

    private static Element child(Element test, String tag) {
        return (Element) test.getElementsByTagName(tag).item(0);
    }

    private static String lines(Element outcome, int most) {
        String message = outcome.getAttribute("message");
        String text = message.isBlank() ? outcome.getTextContent().strip() : message.strip();
        return text.isEmpty() ? "no reason given" : text.lines().limit(most).collect(Collectors.joining("\n    "));
    }

    /** A build that broke, a test process that died and a run of nothing are failures, though no report says so. */
    private void blame(int status, List<String> log) {
        List<String> died = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            if (DIED.matcher(log.get(i)).matches()) {
                // "Crashed tests:" is followed by their names.
                died.add(log.get(i) + " " + (i + 1 < log.size() ? log.get(i + 1) : ""));
            }
        }
        if (!died.isEmpty()) {
            failed.add("a test process died:\n    " + died.stream().distinct().limit(4).collect(Collectors.joining("\n    ")));
        } else if (status != 0) {
            failed.add(log.stream()
                    .filter(line -> line.startsWith("[ERROR]"))
                    .limit(8)
                    .collect(Collectors.joining("\n    ", "the build:\n    ", "")));
        } else if (passed + failed.size() + skipped.size() == 0) {
            failed.add("no test was run");
        }
    }

    /** The formatter names the files it would change, one a line, indented. */
    private void format(List<String> log) {
        String files = log.stream()
                .filter(line -> line.matches("\\[ERROR\\] +src/\\S+\\.java"))
                .map(line -> line.replaceFirst(".*/", ""))
                .collect(Collectors.joining(", "));
        if (!files.isEmpty()) {
            failed.add("formatting, which ./mvnw spotless:apply cures: " + files);
        }
    }

    private void print() {
        skipped.forEach(line -> System.out.println("skipped " + line));
        failed.forEach(line -> System.out.println("FAILED  " + line));
        System.out.printf("%d passed, %d failed, %d skipped%n", passed, failed.size(), skipped.size());
    }
}
