package dev.ebb.domain.event;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules for times, executions, statuses, texts and metadata, checked before anything is written (O-20). What they let
 * pass, SQL takes with all its indexes (O-24). Stateless.
 */
public final class EventRules {

    private static final long MAX_AHEAD_MS = Duration.ofHours(1).toMillis();

    private EventRules() {}

    /**
     * Returns the fault of the event; null if there is none.
     *
     * @param timestampMs the Kafka timestamp of the record, epoch milliseconds, which takes the place of times that the
     *     event does not name
     * @param nowMs the time of ingest, epoch milliseconds
     */
    public static @Nullable Rejection problem(Event event, long timestampMs, long nowMs) {
        if (timestampMs < 0) {
            return negativeTimestamp(timestampMs);
        }
        if (event.execution() < 0) {
            return negativeExecution(event.execution());
        }
        Rejection texts = problemOfTexts(event);
        if (texts != null) {
            return texts;
        }
        Rejection expires = problemOfTtl(event.ttl());
        if (expires != null) {
            return expires;
        }
        Rejection occurred = problemOfTime("occurredAt", event.occurredAt(), timestampMs, nowMs);
        return occurred != null ? occurred : problemOfTime("completedAt", event.completedAt(), timestampMs, nowMs);
    }

    /** Returns the fault of the update; null if there is none. */
    public static @Nullable Rejection problem(EventUpdate update, long timestampMs, long nowMs) {
        if (timestampMs < 0) {
            return negativeTimestamp(timestampMs);
        }
        Rejection status = problemOfStatus(update.status());
        Rejection texts = status != null ? status : problemOfMetadata(update.metadata());
        OwnTtl ttl = update.ttl();
        Rejection first = texts != null || ttl == null ? texts : problemOfTtl(ttl);
        return first != null ? first : problemOfTime("completedAt", update.completedAt(), timestampMs, nowMs);
    }

    /** Returns the fault of the update of an execution; null if there is none. */
    public static @Nullable Rejection problem(ExecutionUpdate update, long timestampMs, long nowMs) {
        if (timestampMs < 0) {
            return negativeTimestamp(timestampMs);
        }
        if (update.execution() < 0) {
            return negativeExecution(update.execution());
        }
        Rejection status = problemOfStatus(update.status());
        if (status != null) {
            return status;
        }
        Long startedAt = update.startedAt();
        Rejection started = startedAt == null ? null : problemOfTime("startedAt", startedAt, timestampMs, nowMs);
        return started != null ? started : problemOfTime("completedAt", update.completedAt(), timestampMs, nowMs);
    }

    private static @Nullable Rejection problemOfTexts(Event event) {
        Rejection status = problemOfStatus(event.status());
        if (status != null) {
            return status;
        }
        String problem = TextRule.problem("type", event.type());
        problem = problem != null ? problem : TextRule.problem("correlationId", event.correlationId());
        problem = problem != null ? problem : TextRule.problem("contentType", event.contentType());
        return problem == null ? problemOfMetadata(event.metadata()) : new Rejection(RejectReason.BAD_TEXT, problem);
    }

    private static @Nullable Rejection problemOfStatus(@Nullable String status) {
        String problem = StatusRule.problem(status);
        return problem == null ? null : new Rejection(RejectReason.BAD_NAME, "status " + problem);
    }

    private static @Nullable Rejection problemOfMetadata(@Nullable Map<String, String> metadata) {
        String problem = metadata == null ? null : MetadataRule.problem(metadata);
        return problem == null ? null : new Rejection(RejectReason.BAD_METADATA, problem);
    }

    private static Rejection negativeExecution(long execution) {
        return new Rejection(RejectReason.BAD_EXECUTION, "execution must be at least 0, was " + execution);
    }

    private static Rejection negativeTimestamp(long timestampMs) {
        return new Rejection(RejectReason.BAD_TIMESTAMP, "the Kafka timestamp is " + timestampMs);
    }

    /** An end far in the past or in the future has another unit than milliseconds (O-22). */
    private static @Nullable Rejection problemOfTtl(OwnTtl ttl) {
        Long expiresAt = ttl.expiresAt();
        String problem = expiresAt == null ? null : TimeRule.problem(expiresAt);
        return problem == null ? null : new Rejection(RejectReason.BAD_TTL, "expiresAt " + problem);
    }

    /** A number that a producer names may have another unit; the Kafka timestamp, which its client sets, has none. */
    private static @Nullable Rejection problemOfTime(String field, @Nullable Long named, long timestampMs, long nowMs) {
        if (named == null) {
            return problemOfFuture(field + ", the Kafka timestamp", timestampMs, nowMs);
        }
        String problem = TimeRule.problem(named);
        return problem == null
                ? problemOfFuture(field, named, nowMs)
                : new Rejection(RejectReason.BAD_TIME, field + " " + problem);
    }

    private static @Nullable Rejection problemOfFuture(String field, long timeMs, long nowMs) {
        return timeMs <= nowMs + MAX_AHEAD_MS
                ? null
                : new Rejection(RejectReason.BAD_TIME, field + " is more than an hour in the future: " + timeMs);
    }
}
