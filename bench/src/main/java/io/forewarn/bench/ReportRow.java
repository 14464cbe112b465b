package io.forewarn.bench;

/**
 * One line of the table.
 *
 * @param met null where there is no target to meet
 */
record ReportRow(String what, String target, String measured, Boolean met) {
    static ReportRow atMost(String what, String target, double measured, double limit, String unit) {
        return new ReportRow(what, target, number(measured) + unit, measured <= limit);
    }

    static ReportRow atLeast(String what, String target, double measured, double limit, String unit) {
        return new ReportRow(what, target, number(measured) + unit, measured >= limit);
    }

    static ReportRow plain(String what, String measured) {
        return new ReportRow(what, "", measured, null);
    }

    /** Three digits are all that two shared cores can vouch for. */
    static String number(double value) {
        if (value >= 100) {
            return String.format("%,d", Math.round(value));
        }
        return String.format(value >= 10 ? "%.1f" : "%.2f", value);
    }

    String line() {
        String verdict = met == null ? "" : met ? "met" : "**missed**";
        return "| " + what + " | " + target + " | " + measured + " | " + verdict + " |";
    }
}
