package io.forewarn.acceptance.floorplan;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ClassNamesTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

    /** Names that said nothing to a newcomer, or several things at once. */
    private static final Set<String> RETIRED = Set.of("""
            Abreast Asking Assembling Attempts Auditing Awaited Carrier Checkup Chorus Chronicle ClockHands
            Conversation Crank Crowd Curfew Deed Desk Destinations Dialect Doors Downwards Echo Fate Following
            Fuse Gate Given GivenFleet Hearing Held Holds Impact Lane Letters Life Neighbours Opening PassedOn
            Patience Parcel Piece Pieces Place Policing Posting Recall Relay Rolling Rolls Roster Said Seals
            Seat Sheet Shelf Spelling Standing Strangers Talk Tenure Tie TimeLine Turning Unreached Wants
            Watching Wishes Word Words
            """.strip().split("\\s+"));

    @Test
    void oneNameMeansOneThing() throws IOException {
        Map<String, Set<String>> places = new TreeMap<>();
        for (Path file : sources()) {
            String name = file.getFileName().toString().replace(".java", "");
            if (!name.equals("package-info")) {
                places.computeIfAbsent(name, n -> new TreeSet<>())
                        .add(file.getParent().toString());
            }
        }
        places.values().removeIf(folders -> folders.size() == 1);
        assertEquals(Map.of(), places, "top-level classes of the same name, tests and bench included");
    }

    @Test
    void noRetiredNameComesBack() throws IOException {
        Set<String> back = new TreeSet<>();
        for (Path file : sources()) {
            String name = file.getFileName().toString().replaceAll("(Test|IT)?\\.java$", "");
            if (RETIRED.contains(name)) {
                back.add(file.toString());
            }
        }
        assertEquals(Set.of(), back, "names that were given up for plainer ones");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            return files.filter(f -> f.toString().matches(".*/src/(main|test)/java/.*\\.java"))
                    .toList();
        }
    }

    @Test
    void aNameSaysWhatAThingIs() {
        noClasses()
                .should()
                .haveNameMatching(".*(Impl|Utils?|Helper|Manager)(\\$.*)?")
                .because("such a name fits any class, so it tells nothing about this one")
                .check(Classes.OURS);
    }

    @Test
    void aDoorIsThePlainNoun() {
        noClasses()
                .that()
                .areInterfaces()
                .should()
                .haveNameMatching(".*[.$]I[A-Z][^.$]*")
                .because("the door is the noun; what stands behind says what it is made of")
                .check(Classes.OURS);
    }

    @Test
    void acronymsAreWords() {
        noClasses()
                .should()
                .haveNameMatching(".*[.$][^.$]*[A-Z]{3,}[^.$]*")
                .because("HttpServer and VmId read as words, HTTPServer does not")
                .check(Classes.OURS);
    }

    @Test
    void everyPackageSaysWhatItIsFor() {
        Set<String> silent = new TreeSet<>();
        for (JavaClass type : Classes.OURS) {
            if (type.getPackage().tryGetPackageInfo().isEmpty()) {
                silent.add(type.getPackageName());
            }
        }
        assertEquals(Set.of(), silent, "packages without package-info.java");
    }
}
