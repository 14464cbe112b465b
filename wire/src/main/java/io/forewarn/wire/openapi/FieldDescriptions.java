package io.forewarn.wire.openapi;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;

/**
 * Looks up descriptions from the Javadoc of the bodies. A running program cannot read Javadoc, so a test prints it into
 * a resource file.
 */
final class FieldDescriptions {
    static final String FILE = "meanings.properties";

    private static final Properties ALL = read();

    private FieldDescriptions() {}

    /** @param name a schema, or {@code schema.property} */
    static Optional<String> of(String name) {
        return Optional.ofNullable(ALL.getProperty(name)).filter(meaning -> !meaning.isEmpty());
    }

    private static Properties read() {
        Properties all = new Properties();
        try (Reader in =
                new InputStreamReader(FieldDescriptions.class.getResourceAsStream(FILE), StandardCharsets.UTF_8)) {
            all.load(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return all;
    }
}
