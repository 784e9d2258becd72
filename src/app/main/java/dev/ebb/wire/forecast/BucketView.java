package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;

/** A stretch of time of a forecast or of a history. */
public record BucketView(
        @Meaning("Its first millisecond, epoch milliseconds.")
        long from,

        @Meaning("The millisecond behind its last one, epoch milliseconds.")
        long to) {}
