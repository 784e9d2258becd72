package dev.ebb.domain.command;

import dev.ebb.domain.Reported;
import dev.ebb.domain.Snapshot;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.Notice;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Effects of a command so far, or those that its dry run predicts (O-9). Each kind of effect has a record of its own; a
 * component that is added to it appears in REST, on the topic and in tables by its {@link Reported} alone.
 */
public sealed interface Outcome
        permits Outcome.Nothing,
                Outcome.Deleted,
                Outcome.Swept,
                Outcome.Undone,
                Outcome.Repaired,
                Outcome.Dropped,
                Outcome.Retried,
                Outcome.Confirmed {

    /** Returns the outcome of a command of which no effect is known. */
    static Outcome nothing() {
        return new Nothing();
    }

    /**
     * Returns the effects of both. Counts stop at the largest long.
     *
     * @throws IllegalArgumentException unless they can be {@linkplain #isAddable added up}
     */
    default Outcome and(Outcome other) {
        if (!isAddable(other)) {
            throw new IllegalArgumentException("a " + getClass().getSimpleName() + " and a "
                    + other.getClass().getSimpleName() + " cannot be added up");
        }
        if (this instanceof Deleted one && other instanceof Deleted more) {
            return one.plus(more);
        }
        if (this instanceof Swept one && other instanceof Swept more) {
            return one.plus(more);
        }
        if (this instanceof Undone one && other instanceof Undone more) {
            return one.plus(more);
        }
        if (this instanceof Repaired one && other instanceof Repaired more) {
            return new Repaired(sum(one.rowsSent, more.rowsSent), sum(one.rowsRemoved, more.rowsRemoved));
        }
        if (this instanceof Dropped one && other instanceof Dropped more) {
            return new Dropped(sum(one.streams, more.streams), sum(one.records, more.records));
        }
        if (this instanceof Retried one && other instanceof Retried more) {
            return new Retried(sum(one.streams, more.streams));
        }
        return this instanceof Nothing ? other : this;
    }

    /** Returns true if both are of one kind that is counted, or one of them is without an effect. */
    default boolean isAddable(Outcome other) {
        return this instanceof Nothing
                || other instanceof Nothing
                || (getClass() == other.getClass() && !(this instanceof Confirmed));
    }

    /** Returns this outcome with its deletes among those that would be made: a dry run has deleted nothing (O-5a). */
    default Outcome predicted() {
        return this;
    }

    /**
     * Returns the counts of deletes, those that a dry run predicts included, without the events that mode {@code warn}
     * keeps; all zero for an outcome of another kind.
     */
    default Deleted deletions() {
        return Deleted.NOTHING;
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    private static <K extends Enum<K>> Map<K, Long> sum(Class<K> type, Map<K, Long> some, Map<K, Long> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return some.isEmpty() ? others : some;
        }
        Map<K, Long> sums = new EnumMap<>(type);
        sums.putAll(some);
        others.forEach((reason, number) -> sums.merge(reason, number, Outcome::sum));
        return sums;
    }

    private static void requireCounts(long... counts) {
        for (long count : counts) {
            if (count < 0) {
                throw new IllegalArgumentException("a count must not be negative, was " + count);
            }
        }
    }

    /** No effect is known, or the command has none to count. */
    record Nothing() implements Outcome {}

    /** Deletes by a command other than a sweep, and an erasure. */
    record Deleted(
            @Reported(
                    value = "Streams that were looked at because they match, skipped streams included.",
                    label = "streams looked at",
                    always = true)
            long streamsProcessed,

            @Reported(value = "Deleted streams.", label = "streams deleted", in = Reported.Run.REAL)
            long streamsDeleted,

            @Reported(value = "Deleted executions.", label = "executions deleted", in = Reported.Run.REAL)
            long executionsDeleted,

            @Reported(
                    value = "Deleted events, protected events included; 0 in a dry run.",
                    label = "events deleted",
                    always = true,
                    in = Reported.Run.REAL)
            long eventsDeleted,

            @Reported(
                    value = "Deleted events that were protected.",
                    label = "of them protected",
                    in = Reported.Run.REAL)
            long protectedEventsDeleted,

            @Reported(value = "Size of the deleted events in bytes.", label = "bytes deleted", in = Reported.Run.REAL)
            long bytesDeleted,

            @Reported(value = "Streams that were left alone, by reason.", label = "streams skipped")
            Map<Refusal, Long> streamsSkipped,

            @Reported(
                    value = "Events that would go but did not: all that a dry run counts.",
                    label = "events would go",
                    always = true,
                    in = Reported.Run.DRY)
            long wouldDelete,

            @Reported(
                    value = "Size of the events in wouldDelete, in bytes.",
                    label = "bytes would go",
                    in = Reported.Run.DRY)
            long wouldDeleteBytes,

            @Reported(value = "Streams that would go but did not.", label = "streams would go", in = Reported.Run.DRY)
            long wouldDeleteStreams,

            @Reported(
                    value = "Executions that would go but did not.",
                    label = "executions would go",
                    in = Reported.Run.DRY)
            long wouldDeleteExecutions,

            @Reported(
                    value = "Events in wouldDelete that are protected.",
                    label = "protected events would go",
                    in = Reported.Run.DRY)
            long wouldDeleteProtected)
            implements Outcome {

        /** All counts zero. */
        public static final Deleted NOTHING = new Deleted(0, 0, 0, 0, 0, 0, Map.of());

        /** @throws IllegalArgumentException if a count is negative */
        public Deleted {
            requireCounts(streamsProcessed, streamsDeleted, executionsDeleted, eventsDeleted);
            requireCounts(protectedEventsDeleted, bytesDeleted, wouldDelete, wouldDeleteBytes);
            requireCounts(wouldDeleteStreams, wouldDeleteExecutions, wouldDeleteProtected);
            streamsSkipped = Snapshot.sorted(Refusal.class, streamsSkipped);
        }

        /** Creates the counts of deletes without any event that would go but did not. */
        public Deleted(
                long streamsProcessed,
                long streamsDeleted,
                long executionsDeleted,
                long eventsDeleted,
                long protectedEventsDeleted,
                long bytesDeleted,
                Map<Refusal, Long> streamsSkipped) {
            this(
                    streamsProcessed,
                    streamsDeleted,
                    executionsDeleted,
                    eventsDeleted,
                    protectedEventsDeleted,
                    bytesDeleted,
                    streamsSkipped,
                    0,
                    0,
                    0,
                    0,
                    0);
        }

        /** Returns the counts of deleted events of streams that are counted elsewhere. */
        public static Deleted events(long events, long bytes) {
            return of(0, 0, events, bytes);
        }

        /**
         * Returns the counts of deletes of unprotected events.
         *
         * @param streams streams that were looked at
         */
        public static Deleted of(long streams, long executions, long events, long bytes) {
            return new Deleted(streams, 0, executions, events, 0, bytes, Map.of());
        }

        /** Returns these counts with one deleted stream. */
        public Deleted withStream() {
            return plus(new Deleted(0, 1, 0, 0, 0, 0, Map.of()));
        }

        /** Returns these counts with so many of the events protected. */
        public Deleted withProtected(long events) {
            return plus(new Deleted(0, 0, 0, 0, events, 0, Map.of()));
        }

        /** Returns these counts with streams that were left alone, by reason. */
        public Deleted withSkipped(Map<Refusal, Long> reasons) {
            return plus(new Deleted(0, 0, 0, 0, 0, 0, reasons));
        }

        /** Returns the counts of one stream that was left alone. */
        public static Deleted skipped(Refusal reason) {
            return of(1, 0, 0, 0).withSkipped(Map.of(reason, 1L));
        }

        /**
         * Returns the counts of the rest of one stream that was left alone; the stream itself counts with its deleted
         * part.
         */
        public static Deleted skippedRest(Refusal reason) {
            return NOTHING.withSkipped(Map.of(reason, 1L));
        }

        /** Returns the sum of both; a count stops at the largest long. */
        public Deleted plus(Deleted other) {
            return new Deleted(
                    sum(streamsProcessed, other.streamsProcessed),
                    sum(streamsDeleted, other.streamsDeleted),
                    sum(executionsDeleted, other.executionsDeleted),
                    sum(eventsDeleted, other.eventsDeleted),
                    sum(protectedEventsDeleted, other.protectedEventsDeleted),
                    sum(bytesDeleted, other.bytesDeleted),
                    sum(Refusal.class, streamsSkipped, other.streamsSkipped),
                    sum(wouldDelete, other.wouldDelete),
                    sum(wouldDeleteBytes, other.wouldDeleteBytes),
                    sum(wouldDeleteStreams, other.wouldDeleteStreams),
                    sum(wouldDeleteExecutions, other.wouldDeleteExecutions),
                    sum(wouldDeleteProtected, other.wouldDeleteProtected));
        }

        @Override
        public Deleted deletions() {
            return new Deleted(
                    streamsProcessed,
                    sum(streamsDeleted, wouldDeleteStreams),
                    sum(executionsDeleted, wouldDeleteExecutions),
                    sum(eventsDeleted, wouldDelete),
                    sum(protectedEventsDeleted, wouldDeleteProtected),
                    sum(bytesDeleted, wouldDeleteBytes),
                    streamsSkipped);
        }

        @Override
        public Deleted predicted() {
            Deleted all = deletions();
            return new Deleted(
                    streamsProcessed,
                    0,
                    0,
                    0,
                    0,
                    0,
                    streamsSkipped,
                    all.eventsDeleted,
                    all.bytesDeleted,
                    all.streamsDeleted,
                    all.executionsDeleted,
                    all.protectedEventsDeleted);
        }
    }

    /** Deletes by a sweep. */
    record Swept(
            @Reported(
                    value = "Streams with something due that the sweep visited, skipped streams included.",
                    label = "streams with something due",
                    always = true)
            long streamsProcessed,

            @Reported(value = "Deleted executions.", label = "executions deleted", in = Reported.Run.REAL)
            long executionsDeleted,

            @Reported(
                    value = "Deleted events, protected events included; 0 in a dry run.",
                    label = "events deleted",
                    always = true,
                    in = Reported.Run.REAL)
            long eventsDeleted,

            @Reported(
                    value = "Deleted events that were protected.",
                    label = "of them protected",
                    in = Reported.Run.REAL)
            long protectedEventsDeleted,

            @Reported(value = "Size of the deleted events in bytes.", label = "bytes deleted", in = Reported.Run.REAL)
            long bytesDeleted,

            @Reported(value = "Streams that were left alone, by reason.", label = "streams skipped")
            Map<Refusal, Long> streamsSkipped,

            @Reported(
                    value =
                            "Events that would go but did not: all that a dry run counts, and those that stay only because"
                                    + " the mode of their policy is warn.",
                    label = "events would go",
                    without = "keptByWarn",
                    always = true,
                    in = Reported.Run.DRY)
            long wouldDelete,

            @Reported(
                    value = "Size of the events in wouldDelete, in bytes.",
                    label = "bytes would go",
                    without = "keptByWarnBytes",
                    in = Reported.Run.DRY)
            long wouldDeleteBytes,

            @Reported(
                    value = "Executions that would go but did not.",
                    label = "executions would go",
                    in = Reported.Run.DRY)
            long wouldDeleteExecutions,

            @Reported(
                    value = "Events in wouldDelete that are protected.",
                    label = "protected events would go",
                    in = Reported.Run.DRY)
            long wouldDeleteProtected,

            @Reported(
                    value = "Events in wouldDelete that stay only because the mode of their policy is warn.",
                    label = "events kept by mode warn")
            long keptByWarn,

            @Reported(value = "Size of the events in keptByWarn, in bytes.", label = "bytes kept by mode warn")
            long keptByWarnBytes,

            @Reported(
                    value = "Events that would lose their rows in SQL by mirror none; they stay stored.",
                    label = "rows would go from SQL",
                    in = Reported.Run.DRY)
            long rowsWouldGo,

            @Reported("Deletes by stream and cause.") Parts parts,

            @Reported(value = "The time as of which the sweep decided.", label = "sweep point")
            Instant sweepPoint,

            @Reported(
                    value = "The version of the policies by which it decided; -1 if all of them are built in.",
                    label = "policy version",
                    always = true,
                    plain = true)
            long policyVersion,

            @Reported("True if the brake would hold the planned policies back until a person confirms them.")
            boolean heldBack)
            implements Outcome {

        /** @throws IllegalArgumentException if a count is negative */
        public Swept {
            requireCounts(streamsProcessed, executionsDeleted, eventsDeleted, protectedEventsDeleted, bytesDeleted);
            requireCounts(wouldDelete, wouldDeleteBytes, wouldDeleteExecutions, wouldDeleteProtected);
            requireCounts(keptByWarn, keptByWarnBytes, rowsWouldGo);
            streamsSkipped = Snapshot.sorted(Refusal.class, streamsSkipped);
            Objects.requireNonNull(parts, "parts is missing");
            Objects.requireNonNull(sweepPoint, "sweepPoint is missing");
        }

        /** Creates the outcome of a sweep with these counts; a sweep deletes no streams. */
        public Swept(Deleted counts, Parts parts, Instant sweepPoint, long policyVersion) {
            this(counts, 0, 0, 0, parts, sweepPoint, policyVersion, false);
        }

        private Swept(
                Deleted counts,
                long kept,
                long keptBytes,
                long rows,
                Parts parts,
                Instant sweepPoint,
                long policyVersion,
                boolean heldBack) {
            this(
                    counts.streamsProcessed,
                    counts.executionsDeleted,
                    counts.eventsDeleted,
                    counts.protectedEventsDeleted,
                    counts.bytesDeleted,
                    counts.streamsSkipped,
                    sum(counts.wouldDelete, kept),
                    sum(counts.wouldDeleteBytes, keptBytes),
                    counts.wouldDeleteExecutions,
                    counts.wouldDeleteProtected,
                    kept,
                    keptBytes,
                    rows,
                    parts,
                    sweepPoint,
                    policyVersion,
                    heldBack);
        }

        /** Returns this outcome with further events that mode {@code warn} keeps (M-16), and their size in bytes. */
        public Swept warned(long events, long bytes) {
            return with(
                    counts(), sum(keptByWarn, events), sum(keptByWarnBytes, bytes), rowsWouldGo, parts, policyVersion);
        }

        /** Returns this outcome of a dry run with further events that would lose their rows in SQL (F-13). */
        public Swept losingRows(long events) {
            return with(counts(), keptByWarn, keptByWarnBytes, sum(rowsWouldGo, events), parts, policyVersion);
        }

        /** Returns this outcome with further counts. */
        public Swept plus(Deleted more) {
            return with(counts().plus(more), keptByWarn, keptByWarnBytes, rowsWouldGo, parts, policyVersion);
        }

        /** Returns this outcome with these parts. */
        public Swept with(Parts others) {
            return with(counts(), keptByWarn, keptByWarnBytes, rowsWouldGo, others, policyVersion);
        }

        /**
         * Returns the sum of the counts of both, with the newest policies. The parts stay those of this outcome: only
         * the leader of the sweep knows how many it may keep.
         */
        public Swept plus(Swept other) {
            return with(
                    counts().plus(other.counts()),
                    sum(keptByWarn, other.keptByWarn),
                    sum(keptByWarnBytes, other.keptByWarnBytes),
                    sum(rowsWouldGo, other.rowsWouldGo),
                    parts,
                    Math.max(policyVersion, other.policyVersion));
        }

        private Swept with(Deleted counts, long kept, long keptBytes, long rows, Parts others, long version) {
            return new Swept(counts, kept, keptBytes, rows, others, sweepPoint, version, heldBack);
        }

        /** Returns this outcome of a plan with the verdict of the brake that it would hold the change back. */
        public Swept heldBackByBrake() {
            return new Swept(
                    counts(), keptByWarn, keptByWarnBytes, rowsWouldGo, parts, sweepPoint, policyVersion, true);
        }

        @Override
        public Deleted deletions() {
            return counts().deletions();
        }

        /** Returns all counts but those of mode {@code warn}. */
        private Deleted counts() {
            return new Deleted(
                    streamsProcessed,
                    0,
                    executionsDeleted,
                    eventsDeleted,
                    protectedEventsDeleted,
                    bytesDeleted,
                    streamsSkipped,
                    wouldDelete - keptByWarn,
                    wouldDeleteBytes - keptByWarnBytes,
                    0,
                    wouldDeleteExecutions,
                    wouldDeleteProtected);
        }

        @Override
        public Swept predicted() {
            return with(counts().predicted(), keptByWarn, keptByWarnBytes, rowsWouldGo, parts, policyVersion);
        }
    }

    /** Deletes by stream and cause. */
    record Parts(
            @Reported("Deletes from one stream for one cause, the biggest first, at most 1000.")
            List<Part> biggest,

            @Reported("Number of further parts, none of them bigger than the listed ones.")
            long leftOut,

            @Reported("Sums of the further parts by namespace and cause, the biggest first, at most 1000.")
            List<Rest> rest) {

        /** Maximum number of parts that are listed one by one. */
        public static final int MAX = 1000;

        public static final Parts NONE = new Parts(List.of(), 0, List.of());

        /** @throws IllegalArgumentException if a count is negative */
        public Parts {
            biggest = List.copyOf(biggest);
            requireCounts(leftOut);
            rest = List.copyOf(rest);
        }
    }

    /** Deletes from one stream for one cause. */
    record Part(
            @Reported("The stream.") String stream,
            @Reported("The cause of the deletes.") RemovalCause cause,
            @Reported("Number of events.") long events,
            @Reported("Size of these events in bytes.") long bytes) {

        public Part {
            Objects.requireNonNull(stream, "a part names its stream");
            Objects.requireNonNull(cause, "a part names its cause");
        }
    }

    /** Deletes from one namespace for one cause that are in no part. */
    record Rest(
            @Reported("The namespace.") String namespace,
            @Reported("The cause of the deletes.") RemovalCause cause,
            @Reported("Number of events.") long events,
            @Reported("Size of these events in bytes.") long bytes) {

        public Rest {
            Objects.requireNonNull(namespace, "a rest names its namespace");
            Objects.requireNonNull(cause, "a rest names its cause");
        }
    }

    /** Events that an undo brings back, and those that it does not (T-2, T-3). */
    record Undone(
            @Reported(
                    "How much of what is meant comes back: ALL, PART or NOTHING. PART: notReturned has reasons other than"
                            + " SUPERSEDED.")
            Extent extent,

            @Reported(
                    value = "Events that are back, or would come back.",
                    label = "events that came back",
                    dryLabel = "events that would come back",
                    always = true)
            long events,

            @Reported(
                    value = "Size of these events in bytes.",
                    label = "bytes that came back",
                    dryLabel = "bytes that would come back",
                    always = true)
            long bytes,

            @Reported(value = "Number of streams with such events.", label = "streams", always = true)
            long streams,

            @Reported(
                    value = "Declared executions that are back, or would come back.",
                    label = "executions that came back",
                    dryLabel = "executions that would come back")
            long executions,

            @Reported(
                    value = "Events that do not come back, by reason; lost executions are MISSING as well.",
                    label = "left out")
            Map<NotReturned, Long> notReturned,

            @Reported("The first events that do not come back, at most 20.")
            List<Left> named,

            @Reported("Streams of the events that come back, at most 100.")
            List<String> streamNames,

            @Reported("The notice under which these events stand, or would stand; null if nothing comes back.")
            @Nullable
            Notice notice)
            implements Outcome {

        /** Maximum number of events that are named. */
        public static final int MOST_NAMED = 20;

        /** Maximum number of streams that are named, and so the maximum number that a hold can cover by name. */
        public static final int MOST_STREAMS = 100;

        /** No event comes back, and none was found that should. */
        public static final Undone NOTHING = new Undone(0, 0, 0, 0, Map.of(), List.of());

        public Undone {
            notReturned = Snapshot.sorted(NotReturned.class, notReturned);
            named = List.copyOf(named);
            streamNames = List.copyOf(streamNames);
        }

        public Undone(
                long events,
                long bytes,
                long streams,
                long executions,
                Map<NotReturned, Long> notReturned,
                List<Left> named,
                List<String> streamNames,
                @Nullable Notice notice) {
            this(
                    Extent.of(events + executions, notReturned),
                    events,
                    bytes,
                    streams,
                    executions,
                    notReturned,
                    named,
                    streamNames,
                    notice);
        }

        /** Creates an outcome that names no stream and no notice. */
        public Undone(
                long events,
                long bytes,
                long streams,
                long executions,
                Map<NotReturned, Long> notReturned,
                List<Left> named) {
            this(events, bytes, streams, executions, notReturned, named, List.of(), null);
        }

        /** Returns the number of events that do not come back for the given reason. */
        public long count(NotReturned reason) {
            return notReturned.getOrDefault(reason, 0L);
        }

        /** Returns the sum of both, which have no stream in common. */
        public Undone plus(Undone other) {
            return new Undone(
                    sum(events, other.events),
                    sum(bytes, other.bytes),
                    sum(streams, other.streams),
                    sum(executions, other.executions),
                    sum(NotReturned.class, notReturned, other.notReturned),
                    first(named, other.named, MOST_NAMED),
                    first(streamNames, other.streamNames, MOST_STREAMS),
                    Notice.sum(notice, other.notice));
        }

        private static <T> List<T> first(List<T> some, List<T> others, int most) {
            return Stream.concat(some.stream(), others.stream())
                    .distinct()
                    .limit(most)
                    .toList();
        }
    }

    /** An event that does not come back. */
    record Left(
            @Reported("Its stream.") String stream,
            @Reported("Its id.") String id,
            @Reported("Why it does not come back.") NotReturned reason) {

        public Left {
            Objects.requireNonNull(stream, "an event has a stream");
            Objects.requireNonNull(id, "an event has an id");
            Objects.requireNonNull(reason, "an event that does not come back has a reason");
        }
    }

    /** How much of the deletes that an undo means comes back. */
    enum Extent {
        /** All of it. A superseded event does not count: a later delete of the same id comes back in its place. */
        ALL,
        /** A part; the reasons say why the rest does not. */
        PART,
        /** Nothing. */
        NOTHING;

        private static Extent of(long returned, Map<NotReturned, Long> notReturned) {
            if (returned == 0) {
                return NOTHING;
            }
            boolean isShort = notReturned.entrySet().stream()
                    .anyMatch(left -> left.getKey() != NotReturned.SUPERSEDED && left.getValue() > 0);
            return isShort ? PART : ALL;
        }
    }

    /** Rows of the SQL mirror that were sent again. */
    record Repaired(
            @Reported(
                    value = "Rows that were sent to the SQL mirror again.",
                    label = "rows sent again",
                    dryLabel = "rows that would be sent again")
            long rowsSent,

            @Reported(
                    value = "Rows that the SQL mirror had to remove, because the store has no counterpart.",
                    label = "rows removed",
                    dryLabel = "rows that would be removed")
            long rowsRemoved)
            implements Outcome {

        /** @throws IllegalArgumentException if a count is negative */
        public Repaired {
            requireCounts(rowsSent, rowsRemoved);
        }
    }

    /** Waiting records that went to the rejected topic. */
    record Dropped(
            @Reported(value = "Streams whose records were looked at.", label = "streams looked at", always = true)
            long streams,

            @Reported(
                    value = "Waiting records that went to the rejected topic.",
                    label = "records dropped",
                    dryLabel = "records that would be dropped",
                    always = true)
            long records)
            implements Outcome {

        /** @throws IllegalArgumentException if a count is negative */
        public Dropped {
            requireCounts(streams, records);
        }
    }

    /** Waiting records whose schemas were asked for again. */
    record Retried(
            @Reported(value = "Streams whose records were looked at.", label = "streams looked at", always = true)
            long streams)
            implements Outcome {

        /** @throws IllegalArgumentException if a count is negative */
        public Retried {
            requireCounts(streams);
        }
    }

    /** Holds on which a partition acts. */
    record Confirmed(
            @Reported("The version of the policies up to which the partition acts on all holds.")
            long policyVersion) implements Outcome {}
}
