package io.forewarn.wire.control;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Provides the release number. */
public final class Version {
    private Version() {}

    public static String text() {
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new IllegalStateException("version.properties is missing from the build.", unreadable);
        }
    }
}
