package io.forewarn.server.driver;

import io.forewarn.core.fleet.ValidationProblem;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks at startup whether the operator's program can be run. */
final class ProgramCheck {
    static final String NO_PROGRAM = "the command driver has no program; set command.argv: [PROGRAM, ARGUMENT…]";

    private ProgramCheck() {}

    static List<ValidationProblem> faults(DriverSettings.Program settings) {
        List<ValidationProblem> faults = new ArrayList<>();
        if (settings.argv().isEmpty()) {
            faults.add(new ValidationProblem(0, NO_PROGRAM));
        } else {
            program(settings.argv().get(0), faults);
        }
        return faults;
    }

    private static void program(String name, List<ValidationProblem> faults) {
        if (name.contains(File.separator)) {
            Path path = Path.of(name);
            if (!Files.isRegularFile(path)) {
                faults.add(new ValidationProblem(0, "the command driver's program " + name + " does not exist"));
            } else if (!Files.isExecutable(path)) {
                faults.add(new ValidationProblem(
                        0, "the command driver's program " + name + " may not be executed by this user; chmod +x it"));
            }
        } else if (!onPath(name)) {
            faults.add(new ValidationProblem(
                    0, "the command driver's program " + name + " is not on the PATH; give its full path"));
        }
    }

    private static boolean onPath(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String folder : path.split(File.pathSeparator)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
                return true;
            }
        }
        return false;
    }
}
