package io.forewarn.acceptance.floorplan;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class ClassNamesTest {
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
