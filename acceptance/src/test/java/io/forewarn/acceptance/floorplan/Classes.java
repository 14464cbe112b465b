package io.forewarn.acceptance.floorplan;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** What is shipped, read once for all the tests here. */
final class Classes {
    static final String ROOT = "io.forewarn";

    static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
            .withImportOption(location -> !location.contains("/io/forewarn/bench/"))
            .importPackages(ROOT);

    private Classes() {}
}
