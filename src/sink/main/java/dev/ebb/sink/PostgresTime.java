package dev.ebb.sink;

import java.time.Instant;

/** Times as PostgreSQL keeps them: microseconds since 2000-01-01T00:00Z. */
final class PostgresTime {

    private static final long EPOCH_SECONDS =
            Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final int MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1000;

    private PostgresTime() {}

    /**
     * Reads a time in UTC; parts of a microsecond are cut off.
     *
     * @throws java.time.DateTimeException if the text is none
     * @throws ArithmeticException if it is too far away
     */
    static long micros(String text) {
        Instant time = Instant.parse(text);
        long seconds = Math.subtractExact(time.getEpochSecond(), EPOCH_SECONDS);
        return Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND), time.getNano() / NANOS_PER_MICRO);
    }
}
