package io.forewarn.bench;

import java.util.List;

/** What one measurement found, and how it was come by. */
record Finding(String title, List<ReportRow> rows, String how) {}
