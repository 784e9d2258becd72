package dev.ebb.domain.source;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The place at which the reading of a source begins the first time.
 *
 * @param at the kind of place
 * @param timeMs the time of the first record, epoch milliseconds; null unless it is a time
 */
public record SourceStart(At at, @Nullable Long timeMs) {

    /** With the first record that is there. */
    public static final SourceStart EARLIEST = new SourceStart(At.EARLIEST, null);

    /** With the first record that comes. */
    public static final SourceStart LATEST = new SourceStart(At.LATEST, null);

    /** Kinds of places. */
    public enum At {
        /** The first record that is there. */
        EARLIEST,
        /** The first record that comes. */
        LATEST,
        /** The first record at or after a time. */
        TIME
    }

    public SourceStart {
        if ((at == At.TIME) != (timeMs != null)) {
            throw new IllegalArgumentException("a time belongs to TIME");
        }
    }

    /** Returns the place of the first record at or after that time, epoch milliseconds. */
    public static SourceStart at(long timeMs) {
        return new SourceStart(At.TIME, timeMs);
    }

    /** Returns the words of a declaration. */
    @Override
    public String toString() {
        return switch (at) {
            case EARLIEST -> "earliest";
            case LATEST -> "latest";
            case TIME -> String.valueOf(timeMs == null ? null : Instant.ofEpochMilli(timeMs));
        };
    }
}
