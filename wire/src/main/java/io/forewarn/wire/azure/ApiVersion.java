package io.forewarn.wire.azure;

import io.forewarn.core.event.EventType;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/** The seven versions of the page, oldest first; each shows all that the one before shows and something more: contract §2. */
public enum ApiVersion {
    V2017_03_01("2017-03-01"),
    V2017_08_01("2017-08-01"),
    V2017_11_01("2017-11-01"),
    V2019_01_01("2019-01-01"),
    V2019_04_01("2019-04-01"),
    V2019_08_01("2019-08-01"),
    V2020_07_01("2020-07-01");

    private static final ApiVersion[] ALL = values();
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

    private final String text;

    ApiVersion(String text) {
        this.text = text;
    }

    /** Null if there is no such version. */
    public static ApiVersion of(String text) {
        for (ApiVersion version : ALL) {
            if (version.text.equals(text)) {
                return version;
            }
        }
        return null;
    }

    /** The version of a rendering slot, or null. */
    public static ApiVersion ofSlot(int slot) {
        return slot >= 0 && slot < ALL.length ? ALL[slot] : null;
    }

    /** Whether a text is a day of the calendar, written as the versions are. */
    public static boolean isDate(String text) {
        if (!DATE.matcher(text).matches()) {
            return false;
        }
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** Where a {@link io.forewarn.core.engine.EventsDocument} remembers this version's bytes. */
    public int slot() {
        return ordinal();
    }

    public String text() {
        return text;
    }

    /** Events of newer types are left out of older versions. */
    public boolean shows(EventType type) {
        return switch (type) {
            case FREEZE, REBOOT, REDEPLOY -> true;
            case PREEMPT -> since(V2017_11_01);
            case TERMINATE -> since(V2019_01_01);
        };
    }

    boolean showsDescription() {
        return since(V2019_04_01);
    }

    boolean showsSource() {
        return since(V2019_08_01);
    }

    boolean showsDuration() {
        return since(V2020_07_01);
    }

    /** The page's C# sample posts without the Metadata header; from the second version on it is asked for everywhere. */
    public boolean postNeedsHeader() {
        return since(V2017_08_01);
    }

    /** The version the seed page describes. */
    boolean isPreview() {
        return this == V2017_03_01;
    }

    private boolean since(ApiVersion first) {
        return compareTo(first) >= 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
