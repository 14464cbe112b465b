package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where records are kept.
 *
 * @param location where records are kept, {@code sqlite:DIRECTORY}
 * @param logRetention how long history is kept
 */
public record StoreSettings(String location, Duration logRetention) {
    private static final String SQLITE = "sqlite:";

    static final StoreSettings DEFAULTS = new StoreSettings("sqlite:./forewarn-data", Duration.ofDays(90));

    public StoreSettings {
        if (!location.startsWith(SQLITE) || location.length() == SQLITE.length()) {
            throw new Refusal(
                    Problem.BAD_INPUT,
                    "'" + location + "' is no store; sqlite:PATH would be right, as in sqlite:./data");
        }
    }

    public Path sqlite() {
        return Path.of(location.substring(SQLITE.length()));
    }
}
