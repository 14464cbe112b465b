package io.forewarn.server.settings;

/**
 * Settings of the log.
 *
 * @param format format of log lines; journald is logfmt with a priority at the start of each line; auto means journald if
 *     standard error goes to the journal, otherwise logfmt
 */
public record LogSettings(Form format) {
    /** The log formats. */
    public enum Form {
        AUTO,
        LOGFMT,
        JSON,
        JOURNALD
    }

    static final LogSettings DEFAULTS = new LogSettings(Form.AUTO);
}
