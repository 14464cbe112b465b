package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.acceptance.control.Program.Run;
import io.forewarn.acceptance.deploy.StoreChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client made from the served description by a generator of the registry compiles, and the server understands it. */
// Takes more than 20 s: it generates and compiles a client.
@Tag(StoreChoice.ONCE)
final class GeneratedClientIT {
    private static final Path PROGRAM =
            Path.of("src/test/resources/io/forewarn/acceptance/control/CallTheServer.java.txt");

    @TempDir
    private Path folder;

    @Test
    void aGeneratedClientListsGroupsAndRestartsAMachine() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        try (ServerProcess serverProcess = new ServerProcess(program, "--clock", "manual", "--profile", "test")) {
            program.shell("curl -sf -H \"Authorization: Bearer $(cat .forewarn/run/*.token)\" " + serverProcess.url()
                            + "/v1/openapi.json > openapi.json")
                    .ended(0);
            generate(program);
            String classes = compile();
            String token =
                    program.shell("cat .forewarn/run/*.token").ended(0).out().strip();
            Run said = run(program, "-cp", classes, "CallTheServer", serverProcess.url(), token);
            assertEquals("""
                    group batch scale-set 3
                    group db-1 single 1
                    group web availability-set 5
                    scheduled scheduled reboot [FrontEnd_IN_0]
                    same true 20m true
                    now started
                    entries 2
                    refused 404 true
                    """, said.ended(0).out(), said.err());
        }
    }

    /** It reads the description with the parser most tools use, and stops if that finds it against the rules of 3.1. */
    private void generate(Program program) throws Exception {
        run(
                        program,
                        "-jar",
                        generator(),
                        "generate",
                        "-i",
                        "openapi.json",
                        "-g",
                        "java",
                        "--library",
                        "native",
                        "-o",
                        "client",
                        "--additional-properties",
                        "openApiNullable=false,useJakartaEe=true,apiPackage=client.api,modelPackage=client.model,invokerPackage=client",
                        "--global-property",
                        "apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false")
                .ended(0);
    }

    /** The class path it runs with. */
    private String compile() throws IOException {
        Path main = Files.copy(PROGRAM, folder.resolve("CallTheServer.java"));
        Path out = Files.createDirectory(folder.resolve("classes"));
        String needs = Stream.concat(
                        jars().stream(),
                        Arrays.stream(System.getProperty("java.class.path").split(":"))
                                .filter(jar -> jar.contains("jackson-")))
                .collect(Collectors.joining(":"));
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", out.toString(), "-cp", needs));
        arguments.add(main.toString());
        try (Stream<Path> sources = Files.walk(folder.resolve("client/src/main/java"))) {
            sources.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertEquals(0, code, "the generated client does not compile");
        return out + ":" + needs;
    }

    private static List<String> jars() {
        return List.of(
                CopiedPrograms.file("jackson-datatype-jsr310.jar").toString(),
                CopiedPrograms.file("jakarta.annotation-api.jar").toString());
    }

    private static String generator() {
        return CopiedPrograms.file("openapi-generator-cli.jar").toString();
    }

    private static Run run(Program program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        return program.finish(program.start(command));
    }
}
