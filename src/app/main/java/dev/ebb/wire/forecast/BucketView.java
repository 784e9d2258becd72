package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;

/** A stretch of time of a forecast or of a history. */
public record BucketView(
        @Meaning("The start of the bucket, epoch milliseconds.")
        long from,

        @Meaning("The end of the bucket, not included, epoch milliseconds.")
        long to) {}
