package io.forewarn.wire.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.fleet.GroupKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every version in every state, byte for byte. {@code -Dgolden.update} writes the files anew; read the difference before you commit it. */
class GoldenDocumentsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");

    static Stream<Arguments> versionsAndStates() {
        return Arrays.stream(ApiVersion.values())
                .flatMap(v -> Arrays.stream(SampleDocuments.values()).map(s -> Arguments.of(v, s)));
    }

    @ParameterizedTest
    @MethodSource("versionsAndStates")
    void everyVersionShowsEveryStateAsItsGoldenFile(ApiVersion version, SampleDocuments state) throws IOException {
        Path file = GOLDEN.resolve(version.text()).resolve(name(state) + ".json");
        same(file, DocumentJson.render(state.document, version, GroupKind.AVAILABILITY_SET, PreviewOptions.PAGE));
    }

    @Test
    void thePreviewSwitchesChangeNamesAndDatesOfTheFirstVersion() throws IOException {
        PreviewOptions real = new PreviewOptions(true, true);
        same(
                GOLDEN.resolve("2017-03-01-as-the-real-preview/scheduled.json"),
                DocumentJson.render(
                        SampleDocuments.SCHEDULED.document, ApiVersion.V2017_03_01, GroupKind.AVAILABILITY_SET, real));
    }

    private static void same(Path file, byte[] rendered) throws IOException {
        if (System.getProperty("golden.update") != null) {
            Files.createDirectories(file.getParent());
            Files.write(file, rendered);
        }
        assertEquals(Files.readString(file), new String(rendered, StandardCharsets.UTF_8));
    }

    private static String name(SampleDocuments state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
