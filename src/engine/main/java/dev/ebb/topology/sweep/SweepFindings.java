package dev.ebb.topology.sweep;

import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Outcome.Parts;
import dev.ebb.domain.command.Outcome.Swept;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.wire.BiggestParts;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Findings so far of a sweep by hand in one partition, stream by stream. Deletes count at once; losses that are only
 * warned of count when all of their stream has been looked at, since that look starts over after a crash. Several
 * streams may be under way at once. Not thread-safe.
 */
public final class SweepFindings {

    private final Map<RemovalCause, Tally> deleted = new EnumMap<>(RemovalCause.class);
    private final Map<RemovalCause, Tally> warned = new EnumMap<>(RemovalCause.class);
    private final Map<Refusal, Long> skipped = new EnumMap<>(Refusal.class);
    private final BiggestParts parts;
    private long processed;
    private long protectedEvents;
    private long warnedStreams;
    private long warnedProtectedEvents;
    private long heldEvents;
    private long executions;
    private long failed;

    /** @param partsBytes the size that its parts may have as JSON, in bytes */
    public SweepFindings(Saved saved, int partsBytes) {
        this.deleted.putAll(saved.deleted());
        this.warned.putAll(saved.warned());
        this.parts = new BiggestParts(saved.parts(), partsBytes);
        this.processed = saved.processed();
        this.protectedEvents = saved.protectedEvents();
        this.warnedStreams = saved.warnedStreams();
        this.warnedProtectedEvents = saved.warnedProtectedEvents();
        this.heldEvents = saved.heldEvents();
        this.executions = saved.executions();
        this.failed = saved.failed();
        this.skipped.putAll(saved.skipped());
    }

    /**
     * Findings as they are saved.
     *
     * @param unfinished the streams that are under way, in the order of their turns
     * @param deleted the events that have gone from all streams
     * @param warned the events that would go from streams whose policy only warns
     * @param skipped streams that were left alone though nothing failed, by reason
     */
    public record Saved(
            List<Unfinished> unfinished,
            Map<RemovalCause, Tally> deleted,
            Map<RemovalCause, Tally> warned,
            Parts parts,
            long processed,
            long protectedEvents,
            long warnedStreams,
            long warnedProtectedEvents,
            long heldEvents,
            long executions,
            long failed,
            Map<Refusal, Long> skipped) {

        public static final Saved NOTHING =
                new Saved(List.of(), Map.of(), Map.of(), Parts.NONE, 0, 0, 0, 0, 0, 0, 0, Map.of());
    }

    /**
     * Stream that is under way, as it is saved.
     *
     * @param sid its number
     * @param gone the events that have gone from it, by cause; empty if they are only warned of
     */
    public record Unfinished(int sid, String stream, Map<RemovalCause, Tally> gone) {}

    /** @param unfinished the streams that are under way, in the order of their turns */
    public Saved saved(List<Unfinished> unfinished) {
        return new Saved(
                unfinished,
                new HashMap<>(deleted),
                new HashMap<>(warned),
                parts.all(),
                processed,
                protectedEvents,
                warnedStreams,
                warnedProtectedEvents,
                heldEvents,
                executions,
                failed,
                new HashMap<>(skipped));
    }

    /** Counts the events of a stream that a hold keeps from being swept. */
    public void held(StreamState held) {
        heldEvents += held.totalEvents();
    }

    /**
     * Begins a stream.
     *
     * @param isOnlyWarned true if the stream loses nothing, because its policy only warns
     * @param gone the events that had gone from it when the findings were saved, by cause
     */
    public OfStream begin(StreamState stream, boolean isOnlyWarned, Map<RemovalCause, Tally> gone) {
        return new OfStream(stream.stream().value(), isOnlyWarned, isOnlyWarned ? Map.of() : gone);
    }

    /** Counts a stream that could not be begun because something failed. */
    public void failed() {
        processed++;
        failed++;
    }

    /** Breaks off a stream that was under way when the findings were saved; its deletes still count. */
    public void breakOff(Unfinished ended) {
        addParts(ended.stream(), ended.gone());
    }

    private void addParts(String stream, Map<RemovalCause, Tally> gone) {
        gone.forEach((cause, tally) -> parts.add(new Part(stream, cause, tally.events(), tally.bytes())));
    }

    /** Findings in one stream. Not thread-safe. */
    public final class OfStream implements RemovalListener {

        private final String stream;
        private final boolean isOnlyWarned;
        private final Map<RemovalCause, Tally> gone = new EnumMap<>(RemovalCause.class);

        private OfStream(String stream, boolean isOnlyWarned, Map<RemovalCause, Tally> goneBefore) {
            this.stream = stream;
            this.isOnlyWarned = isOnlyWarned;
            this.gone.putAll(goneBefore);
        }

        /** Returns what has gone, to be saved; nothing if it is only warned of. */
        public Map<RemovalCause, Tally> gone() {
            return isOnlyWarned ? Map.of() : new HashMap<>(gone);
        }

        /** Counts an event that goes from the stream. */
        @Override
        public void removed(StreamState from, Removed removed) {
            Tally one = new Tally(1, removed.event().sizeBytes());
            if (!isOnlyWarned) {
                processed += gone.isEmpty() ? 1 : 0;
                protectedEvents += gone.isEmpty() ? from.protectedEvents() : 0;
                add(deleted, removed.cause(), one);
            }
            add(gone, removed.cause(), one);
        }

        /** Counts an execution that the stream forgets because nothing is left of it. */
        @Override
        public void executionRemoved(StreamState from, Execution execution) {
            executions += isOnlyWarned ? 0 : 1;
        }

        /** Ends the stream, which has been looked at completely. */
        public void end(StreamState ended) {
            if (isOnlyWarned && !gone.isEmpty()) {
                warnedStreams++;
                warnedProtectedEvents += ended.protectedEvents();
                gone.forEach((cause, tally) -> add(warned, cause, tally));
            } else if (!isOnlyWarned) {
                addParts(stream, gone);
            }
        }

        /** Breaks off the stream, which may no longer be swept, or no longer exists; its deletes still count. */
        public void breakOff() {
            addParts(stream, gone());
        }

        /** Breaks off the stream, which has failed. */
        public void failed() {
            processed += gone().isEmpty() ? 1 : 0;
            failed++;
            breakOff();
        }

        /** Leaves the stream, from which nothing more may go now: its records wait or it is quarantined. */
        public void notReady() {
            processed += gone().isEmpty() ? 1 : 0;
            skipped.merge(Refusal.NOT_READY, 1L, Long::sum);
            breakOff();
        }
    }

    private static void add(Map<RemovalCause, Tally> tallies, RemovalCause cause, Tally tally) {
        tallies.merge(cause, tally, Tally::plus);
    }

    /** Returns the events that went, or would go in a dry run, and separately those only warned of. */
    public Swept outcome(SweepPoint point) {
        Tally gone = sum(deleted);
        Tally kept = sum(warned);
        Map<Refusal, Long> left = new EnumMap<>(Refusal.class);
        left.putAll(skipped);
        if (failed > 0) {
            left.put(Refusal.FAILED, failed);
        }
        Deleted counts =
                Deleted.of(processed, executions, gone.events(), gone.bytes()).withSkipped(left);
        return new Swept(counts, parts.all(), Instant.ofEpochMilli(point.nowMs()), point.policyVersion())
                .warned(kept.events(), kept.bytes());
    }

    private static Tally sum(Map<RemovalCause, Tally> tallies) {
        return tallies.values().stream().reduce(Tally.ZERO, Tally::plus);
    }

    /** Returns true if there is anything to report of streams of that mode. */
    public boolean hasFound(PolicyMode mode) {
        return !of(mode).isEmpty();
    }

    private Map<RemovalCause, Tally> of(PolicyMode mode) {
        return mode == PolicyMode.WARN ? warned : deleted;
    }

    /** Returns the report on the streams of that mode that lost events, or would if their policy did not only warn. */
    public SweepReport report(
            PolicyMode mode, String id, int partition, SweepPoint point, long startedMs, long nowMs, boolean isCutOff) {
        boolean isWarned = mode == PolicyMode.WARN;
        return new SweepReport(
                id,
                partition,
                Trigger.COMMAND,
                point,
                startedMs,
                nowMs,
                isWarned ? warnedStreams : processed,
                of(mode),
                isWarned ? warnedProtectedEvents : protectedEvents,
                heldEvents,
                mode,
                isCutOff);
    }
}
