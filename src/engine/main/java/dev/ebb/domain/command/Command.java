package dev.ebb.domain.command;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request of a person. It ignores caps, ages, guards and TTLs; it always respects holds, and protection unless
 * forced.
 */
public sealed interface Command {

    /** The word for it in commands, records and the audit, for example {@code delete}. */
    String verb();

    /** A command about one stream, which that stream's partition carries out. */
    sealed interface OfStream extends Command {

        StreamName stream();
    }

    /** A command about all streams that match a filter; one partition leads it, and all carry it out. */
    sealed interface OfStreams extends Command {

        StreamFilter filter();
    }

    /**
     * Removes a stream with all it has.
     *
     * @param isForced passes over open executions, protected events and open ancestors, never over holds
     */
    record DeleteStream(StreamName stream, boolean isForced) implements OfStream {

        public DeleteStream {
            requireStream(stream);
        }

        @Override
        public String verb() {
            return "delete";
        }
    }

    /** Removes whole closed streams. */
    record PurgeStreams(StreamFilter filter) implements OfStreams {

        public PurgeStreams {
            requireFilter(filter);
        }

        @Override
        public String verb() {
            return "purge";
        }
    }

    /** Removes executions of a stream, or eligible events of a stream without executions. */
    record PruneStream(StreamName stream, PruneCondition condition) implements OfStream {

        public PruneStream {
            requireStream(stream);
            requireCondition(condition);
        }

        @Override
        public String verb() {
            return "prune";
        }
    }

    /**
     * Removes executions, or eligible events of streams without executions, from many streams.
     *
     * @param includesOpen whether open streams are pruned as well
     */
    record PruneStreams(StreamFilter filter, PruneCondition condition, boolean includesOpen) implements OfStreams {

        public PruneStreams {
            requireFilter(filter);
            requireCondition(condition);
        }

        @Override
        public String verb() {
            return "prune-bulk";
        }
    }

    /** A command about records that cannot be taken in yet; every partition looks for them. */
    sealed interface OfParked extends Command {

        /** Only records with that Kafka key; null for any. */
        @Nullable
        StreamName stream();

        /** Only records that wait for the schema with that id; null for anything. */
        @Nullable
        Long schema();
    }

    /**
     * Moves records that cannot be taken in to the rejected topic, so that later records of their streams can be taken
     * in.
     *
     * @param stream only records with that Kafka key; null if {@code schema} selects them
     * @param schema only records that wait for the schema with that id; null for all of the stream
     * @param record only the first record of the stream, and only if it is this one: topic, partition and offset with
     *     slashes between them; null for any
     */
    record DropParked(
            @Nullable StreamName stream,
            @Nullable Long schema,
            @Nullable String record) implements OfParked {
        @Override
        public String verb() {
            return "drop-parked";
        }
    }

    /**
     * Asks at once for everything that records wait for, whatever the last answer was.
     *
     * @param stream only for records with that Kafka key; null for any
     * @param schema only for the schema with that id; null for anything
     */
    record RetryParked(
            @Nullable StreamName stream, @Nullable Long schema) implements OfParked {
        @Override
        public String verb() {
            return "retry-parked";
        }
    }

    /**
     * Changes the own TTL of a stored event.
     *
     * @param ttl the new TTL; {@link OwnTtl#NONE} inherits from the policy; {@code ttlSeconds} is not used
     * @param ttlMs lifetime in milliseconds from the moment at which the command is carried out, at least 1; null if
     *     {@code ttl} says everything
     */
    record SetTtl(
            StreamName stream,
            EventId id,
            OwnTtl ttl,
            @Nullable Long ttlMs) implements OfStream {

        public SetTtl {
            requireStream(stream);
            requireEvent(id);
            Objects.requireNonNull(ttl, "set-ttl has a TTL");
        }

        @Override
        public String verb() {
            return "set-ttl";
        }
    }

    /**
     * Removes one event.
     *
     * @param isForced passes over its protection, never over holds
     */
    record DeleteEvent(StreamName stream, EventId id, boolean isForced) implements OfStream {

        public DeleteEvent {
            requireStream(stream);
            requireEvent(id);
        }

        @Override
        public String verb() {
            return "delete-event";
        }
    }

    /**
     * Sends rows of the SQL mirror again: stored ones as they are, others as deleted. Deletes nothing that is stored.
     *
     * @param rows rows of the table of events, at most {@link #MAX_ROWS}
     * @param executions numbers of rows of the table of executions, at most {@link #MAX_ROWS}
     */
    record RepairMirror(StreamName stream, List<RowKey> rows, List<Long> executions) implements OfStream {

        /** The most rows of each table in one command. */
        public static final int MAX_ROWS = 1000;

        public RepairMirror {
            requireStream(stream);
            rows = List.copyOf(rows);
            executions = List.copyOf(executions);
        }

        @Override
        public String verb() {
            return "repair";
        }
    }

    /**
     * Recounts all events of a stream, corrects its usage, and ends its quarantine if there is one. Deletes nothing.
     */
    record RepairStream(StreamName stream) implements OfStream {

        public RepairStream {
            requireStream(stream);
        }

        @Override
        public String verb() {
            return "repair-stream";
        }
    }

    /**
     * Sweeps at once, regardless of interval and window.
     *
     * @param scope a stream, a namespace or {@code *}
     * @param atMs the sweep point of a dry run, epoch milliseconds; null for the moment at which it is carried out
     * @param policies a file of policies and holds that a dry run treats as if they were in force as well; null for
     *     none
     * @param prunesPolicies whether policies that are not in the file are treated as removed
     */
    record SweepNow(
            Scope scope, @Nullable Long atMs, @Nullable String policies, boolean prunesPolicies) implements Command {

        public SweepNow {
            Objects.requireNonNull(scope, "a sweep has a scope");
        }

        /** A sweep by the policies that are in force. */
        public SweepNow(Scope scope, @Nullable Long atMs) {
            this(scope, atMs, null, false);
        }

        @Override
        public String verb() {
            return "sweep";
        }
    }

    private static void requireStream(StreamName stream) {
        Objects.requireNonNull(stream, "the command names a stream");
    }

    private static void requireEvent(EventId id) {
        Objects.requireNonNull(id, "the command names an event");
    }

    private static void requireFilter(StreamFilter filter) {
        Objects.requireNonNull(filter, "the command has a filter");
    }

    private static void requireCondition(PruneCondition condition) {
        Objects.requireNonNull(condition, "the command has a condition");
    }
}
