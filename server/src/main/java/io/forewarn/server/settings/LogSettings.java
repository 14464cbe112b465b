package io.forewarn.server.settings;

/**
 * How lines for the operator are written.
 *
 * @param format format of log lines; journald is logfmt with a priority in front; auto is journald if standard error
 *     is connected to the journal, otherwise logfmt
 */
public record LogSettings(Form format) {
    /** What can be chosen. */
    public enum Form {
        AUTO,
        LOGFMT,
        JSON,
        JOURNALD
    }

    static final LogSettings DEFAULTS = new LogSettings(Form.AUTO);
}
