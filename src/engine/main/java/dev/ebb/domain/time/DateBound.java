package dev.ebb.domain.time;

import java.time.LocalDate;
import java.time.ZoneOffset;

/** The moment that a date means, which depends on the bound that it stands for (O-22). Days are those of UTC. */
public enum DateBound {

    /** The first millisecond of the day: a lower bound, a moment, or an upper bound that leaves the day out. */
    BEGINNING,

    /** The last millisecond of the day: an upper bound that is included. */
    END,

    /** The first millisecond of the next day: an upper bound that is not included itself, while its day is. */
    AFTER;

    private static final int MS_PER_DAY = 86_400_000;

    /** Returns the meaning of a date in that field of a record: its end where it ends a life, else its beginning. */
    public static DateBound inRecord(String field) {
        return field.equals("expiresAt") ? END : BEGINNING;
    }

    /** Returns the moment of the date, in epoch milliseconds. */
    public long ms(LocalDate date) {
        long begin = date.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        return switch (this) {
            case BEGINNING -> begin;
            case END -> begin + MS_PER_DAY - 1;
            case AFTER -> begin + MS_PER_DAY;
        };
    }
}
