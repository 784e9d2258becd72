package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * Declares an execution of a stream, or changes one; fields that it does not name stay as they are.
 *
 * @param stream the stream
 * @param execution the number of the execution, at least 0
 * @param status the new status; null leaves it
 * @param parent the stream that this one belongs to; null leaves it
 * @param startedAt time at which the execution began, epoch milliseconds; null leaves it
 * @param completedAt time at which the execution became terminal, epoch milliseconds; null if not named
 */
public record ExecutionUpdate(
        StreamName stream,
        long execution,
        @Nullable String status,
        @Nullable StreamName parent,
        @Nullable Long startedAt,
        @Nullable Long completedAt)
        implements StreamRecord {}
