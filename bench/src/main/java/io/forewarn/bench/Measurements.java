package io.forewarn.bench;

import java.util.Arrays;

/** Numbers collected over several rounds. */
final class Measurements {
    private double[] values = new double[64];
    private int count;

    void add(double value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
    }

    double median() {
        return quantile(0.5);
    }

    double quantile(double share) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1.0, Math.max(0, Math.ceil(share * count) - 1))];
    }

    /** Median, and from where to where the rounds went. */
    String spread(String unit) {
        return ReportRow.number(median()) + unit + " (" + ReportRow.number(quantile(0)) + " to "
                + ReportRow.number(quantile(1)) + ")";
    }
}
