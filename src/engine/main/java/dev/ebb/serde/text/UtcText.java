package dev.ebb.serde.text;

import java.time.Instant;

/** Writes times as {@code 2026-11-21T10:00:00.001Z}, always with the same length. Stateless. */
public final class UtcText {

    /** Number of bytes of a written time. */
    public static final int LENGTH = 24;

    private static final long MAX_MS = 253_402_300_799_999L;
    private static final int MS_PER_DAY = 86_400_000;

    private UtcText() {}

    /** Returns the time in epoch milliseconds, as exact as a written time. */
    public static long clamped(Instant time) {
        if (time.getEpochSecond() > MAX_MS / 1000) {
            return MAX_MS;
        }
        return time.getEpochSecond() < 0 ? 0 : time.toEpochMilli();
    }

    /** Returns the time, or the nearest time from 1970 to 9999, in epoch milliseconds. */
    public static long clamped(long epochMs) {
        return Math.min(Math.max(epochMs, 0), MAX_MS);
    }

    /**
     * Writes the time into the array from the given position on; a time outside 1970 to 9999 becomes the nearest one
     * inside.
     */
    public static void write(long epochMs, byte[] target, int at) {
        long ms = clamped(epochMs);
        writeDate((int) (ms / MS_PER_DAY), target, at);
        int time = (int) (ms % MS_PER_DAY);
        target[at + 10] = 'T';
        digits(time / 3_600_000, 2, target, at + 11);
        target[at + 13] = ':';
        digits(time / 60_000 % 60, 2, target, at + 14);
        target[at + 16] = ':';
        digits(time / 1000 % 60, 2, target, at + 17);
        target[at + 19] = '.';
        digits(time % 1000, 3, target, at + 20);
        target[at + 23] = 'Z';
    }

    /**
     * Writes a date. Years are counted from March, so that the leap day is the last day of a year; 1 March of year 0 is
     * day 0.
     */
    private static void writeDate(int epochDay, byte[] target, int at) {
        int day = epochDay + 719_468;
        int era = day / 146_097;
        int dayOfEra = day % 146_097;
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        digits(era * 400 + yearOfEra + (month <= 2 ? 1 : 0), 4, target, at);
        target[at + 4] = '-';
        digits(month, 2, target, at + 5);
        target[at + 7] = '-';
        digits(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, 2, target, at + 8);
    }

    private static void digits(int number, int count, byte[] target, int at) {
        int rest = number;
        for (int i = at + count - 1; i >= at; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
