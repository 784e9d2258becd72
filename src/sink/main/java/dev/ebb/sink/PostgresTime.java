package dev.ebb.sink;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times in PostgreSQL's form: microseconds since 2000-01-01T00:00Z. */
final class PostgresTime {

    private static final long EPOCH_SECONDS =
            Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final int MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1000;

    private static final int MICROS_PER_MS = 1000;
    private static final long EPOCH_MICROS = EPOCH_SECONDS * MICROS_PER_SECOND;

    private PostgresTime() {}

    /** Returns the time in PostgreSQL's form. */
    static long ofMs(long epochMs) {
        return epochMs * MICROS_PER_MS - EPOCH_MICROS;
    }

    /** Returns the time in PostgreSQL's form; the ends of the range stand for times that are infinite there. */
    static long ofEpochMicros(long epochMicros) {
        return epochMicros == Long.MAX_VALUE || epochMicros == Long.MIN_VALUE
                ? epochMicros
                : epochMicros - EPOCH_MICROS;
    }

    /** Returns the time as a text in UTC; the text of a time that PostgreSQL calls infinite is its number. */
    static String text(long micros) {
        return micros == Long.MAX_VALUE || micros == Long.MIN_VALUE
                ? Long.toString(micros)
                : Instant.ofEpochSecond(EPOCH_SECONDS)
                        .plus(micros, ChronoUnit.MICROS)
                        .toString();
    }

    /**
     * Reads a time in UTC; cuts off fractions of a microsecond.
     *
     * @throws java.time.DateTimeException if the text is not a time
     * @throws ArithmeticException if the time is out of range
     */
    static long micros(String text) {
        Instant time = Instant.parse(text);
        long seconds = Math.subtractExact(time.getEpochSecond(), EPOCH_SECONDS);
        return Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND), time.getNano() / NANOS_PER_MICRO);
    }
}
