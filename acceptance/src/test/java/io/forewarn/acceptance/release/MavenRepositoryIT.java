package io.forewarn.acceptance.release;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A project that knows nothing but the release's Maven repository compiles against it and runs. */
// Takes more than 20 s: it builds the release if nobody did.
@Timeout(value = BuiltRelease.MINUTES, unit = TimeUnit.MINUTES)
final class MavenRepositoryIT {
    @TempDir
    private Path folder;

    @Test
    void aCleanProjectUsesTheLibraries() throws Exception {
        Path repository = BuiltRelease.folder().resolve("maven");
        String version = BuiltRelease.version();
        for (String suffix : new String[] {".jar", "-sources.jar", "-javadoc.jar", ".pom"}) {
            Path file = repository.resolve("io/forewarn/wire/" + version + "/wire-" + version + suffix);
            assertTrue(Files.size(file) > 500, file.toString());
        }
        Files.writeString(folder.resolve("pom.xml"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>example</groupId><artifactId>clean</artifactId><version>1</version>
                  <properties><maven.compiler.release>17</maven.compiler.release></properties>
                  <repositories><repository><id>release</id><url>file://%s</url></repository></repositories>
                  <dependencyManagement><dependencies>
                    <dependency><groupId>io.forewarn</groupId><artifactId>bom</artifactId><version>%s</version><type>pom</type><scope>import</scope></dependency>
                  </dependencies></dependencyManagement>
                  <dependencies>
                    <dependency><groupId>io.forewarn</groupId><artifactId>wire</artifactId></dependency>
                  </dependencies>
                  <build><pluginManagement><plugins>
                    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.0</version></plugin>
                    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
                    <plugin><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version></plugin>
                  </plugins></pluginManagement></build>
                </project>
                """.formatted(repository, version));
        Path source = Files.createDirectories(folder.resolve("src/main/java")).resolve("Clean.java");
        Files.writeString(
                source,
                "public class Clean { public static void main(String[] a) {"
                        + " System.out.println(io.forewarn.wire.control.Version.text() + \" \" + io.forewarn.wire.control.Route.MACHINES.template()); } }");
        // What is not ours may come from where it already is.
        Path own = Files.createDirectories(folder.resolve("repository/io")).getParent();
        String link = "ln -s \"$0\"/* . 2>/dev/null; cd io; ln -s \"$0\"/io/* .; rm -f forewarn";
        Path known = Path.of(System.getProperty("user.home"), ".m2", "repository");
        Output.of(own, "bash", "-c", link, known.toString());
        String maven = InstalledTools.project().resolve("mvnw").toString();
        Output built = Output.of(
                folder,
                Map.of("JAVA_HOME", BuiltRelease.jdk("17").toString()),
                maven,
                "-B",
                "-q",
                "-ntp",
                "-Dmaven.repo.local=" + own,
                "-Daether.enhancedLocalRepository.trackingFilename=none",
                "compile",
                "dependency:build-classpath",
                "-Dmdep.outputFile=path");
        built.must();
        assertTrue(Files.isDirectory(own.resolve("io/forewarn/wire")), built::text);
        String path = folder.resolve("target/classes") + ":" + Files.readString(folder.resolve("path"));
        String said = Output.of(
                        folder, BuiltRelease.jdk("17").resolve("bin/java").toString(), "-cp", path, "Clean")
                .must();
        assertTrue(said.contains(version + " /v1/machines"), said);
    }
}
