package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * A declaration of an execution, or a change to one; fields that the update does not name keep their values.
 *
 * @param stream the stream
 * @param execution the number of the execution, at least 0
 * @param status the new status; null keeps the status
 * @param parent the new parent of the stream; null keeps the parent
 * @param startedAt the time at which the execution began, epoch milliseconds; null keeps the time
 * @param completedAt the time at which the execution became terminal, epoch milliseconds; null if not named
 */
public record ExecutionUpdate(
        StreamName stream,
        long execution,
        @Nullable String status,
        @Nullable StreamName parent,
        @Nullable Long startedAt,
        @Nullable Long completedAt)
        implements StreamRecord {}
