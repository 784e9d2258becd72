package dev.ebb.serde.mirror;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Times of PostgreSQL, which are infinite outside its range, and their texts. Stateless. */
public final class SqlTimes {

    private static final int LENGTH = 32;
    private static final Instant LAST = Instant.parse("+294276-12-31T23:59:59.999999Z");
    private static final Instant FIRST = Instant.parse("-4712-01-01T00:00:00Z");

    private SqlTimes() {}

    /** Returns true if the time is {@code infinity} in PostgreSQL. */
    public static boolean isInfinite(Instant time) {
        return time.isAfter(LAST);
    }

    /** Returns true if the time is {@code -infinity} in PostgreSQL. */
    public static boolean isMinusInfinite(Instant time) {
        return time.isBefore(FIRST);
    }

    /** Returns the time as a text for PostgreSQL. */
    public static String text(Instant time) {
        if (isInfinite(time)) {
            return "infinity";
        }
        return isMinusInfinite(time) ? "-infinity" : text(time.atOffset(ZoneOffset.UTC));
    }

    private static String text(OffsetDateTime utc) {
        int year = utc.getYear();
        StringBuilder text = new StringBuilder(LENGTH);
        add(text, "", year > 0 ? year : 1 - year, 1000);
        add(text, "-", utc.getMonthValue(), 10);
        add(text, "-", utc.getDayOfMonth(), 10);
        add(text, " ", utc.getHour(), 10);
        add(text, ":", utc.getMinute(), 10);
        add(text, ":", utc.getSecond(), 10);
        add(text, ".", utc.getNano() / 1000, 100_000);
        return text.append(year > 0 ? "+00" : "+00 BC").toString();
    }

    /**
     * Adds a number, with zeros before it. A format would cost a row of the audit more than the rest of it.
     *
     * @param least the least number with all digits
     */
    private static void add(StringBuilder text, String before, int number, int least) {
        text.append(before);
        for (int power = least; power > number && power > 1; power /= 10) {
            text.append('0');
        }
        text.append(number);
    }
}
