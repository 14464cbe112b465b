package io.forewarn.wire.control;

/**
 * Why something is requested.
 *
 * @param reason one line of at most 200 characters; history, notifications and the audit log show it
 */
public record ReasonRequest(String reason) {
    public static final ReasonRequest NONE = new ReasonRequest(null);

    /** Empty if none was given. */
    public String given() {
        return given(reason);
    }

    /** Empty if none was given. */
    public static String given(String reason) {
        return reason == null || reason.isBlank() ? "" : reason;
    }
}
