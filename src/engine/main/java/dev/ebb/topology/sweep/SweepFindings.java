package dev.ebb.topology.sweep;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.domain.command.CommandResult.Rest;
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
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Findings so far of a sweep by hand in one partition, stream by stream. Deletes count at once; losses that are only
 * warned of count when all of their stream has been looked at, since that look starts over after a crash. Not
 * thread-safe.
 */
public final class SweepFindings implements RemovalListener {

    private final Map<RemovalCause, Tally> ofStream = new EnumMap<>(RemovalCause.class);
    private final Map<RemovalCause, Tally> deleted = new EnumMap<>(RemovalCause.class);
    private final Map<RemovalCause, Tally> warned = new EnumMap<>(RemovalCause.class);
    private final Map<Refusal, Long> skipped = new EnumMap<>(Refusal.class);
    private final BiggestParts parts;
    private @Nullable String stream;
    private boolean isOnlyWarned;
    private long processed;
    private long protectedEvents;
    private long warnedStreams;
    private long warnedProtectedEvents;
    private long heldEvents;
    private long executions;
    private long failed;

    /** @param partsBytes the size that its parts may have as JSON, in bytes */
    public SweepFindings(Saved saved, int partsBytes) {
        this.stream = saved.stream();
        this.ofStream.putAll(saved.ofStream());
        this.deleted.putAll(saved.deleted());
        this.warned.putAll(saved.warned());
        this.parts = new BiggestParts(
                saved.parts(), saved.partsLeftOut(), Objects.requireNonNullElse(saved.rest(), List.of()), partsBytes);
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
     * @param stream the stream that is being swept; null between two
     * @param ofStream the events that have gone from that stream
     * @param deleted the events that have gone from all streams
     * @param warned the events that would go from streams whose policy only warns
     * @param rest sums of the parts that are left out; null in a state of a version that had none
     * @param skipped streams that were left alone though nothing failed, by reason
     */
    public record Saved(
            @Nullable String stream,
            Map<RemovalCause, Tally> ofStream,
            Map<RemovalCause, Tally> deleted,
            Map<RemovalCause, Tally> warned,
            List<Part> parts,
            long partsLeftOut,
            @Nullable List<Rest> rest,
            long processed,
            long protectedEvents,
            long warnedStreams,
            long warnedProtectedEvents,
            long heldEvents,
            long executions,
            long failed,
            Map<Refusal, Long> skipped) {

        public static final Saved NOTHING =
                new Saved(null, Map.of(), Map.of(), Map.of(), List.of(), 0, List.of(), 0, 0, 0, 0, 0, 0, 0, Map.of());
    }

    public Saved saved() {
        return new Saved(
                isOnlyWarned ? null : stream,
                isOnlyWarned ? Map.of() : new HashMap<>(ofStream),
                new HashMap<>(deleted),
                new HashMap<>(warned),
                parts.list(),
                parts.leftOut(),
                parts.rest(),
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

    /** Begins a stream, possibly the one in whose middle the findings were saved. */
    public void begin(StreamState next, boolean warnsOnly) {
        String name = next.stream().value();
        if (!name.equals(stream)) {
            endEnforced();
        }
        stream = name;
        isOnlyWarned = warnsOnly;
    }

    /** Counts an event that goes from the current stream. */
    @Override
    public void removed(StreamState from, Removed removed) {
        Tally one = new Tally(1, removed.event().sizeBytes());
        if (!isOnlyWarned) {
            processed += ofStream.isEmpty() ? 1 : 0;
            protectedEvents += ofStream.isEmpty() ? from.protectedEvents() : 0;
            add(deleted, removed.cause(), one);
        }
        add(ofStream, removed.cause(), one);
    }

    /** Counts an execution that the current stream forgets because nothing is left of it. */
    @Override
    public void executionRemoved(StreamState from, Execution execution) {
        executions += isOnlyWarned ? 0 : 1;
    }

    /** Ends a stream that has been looked at completely. */
    public void end(StreamState ended) {
        if (isOnlyWarned && !ofStream.isEmpty()) {
            warnedStreams++;
            warnedProtectedEvents += ended.protectedEvents();
            ofStream.forEach((cause, tally) -> add(warned, cause, tally));
            ofStream.clear();
        }
        endEnforced();
    }

    /** Breaks off a stream that may no longer be swept, or no longer exists; its deletes still count. */
    public void breakOff() {
        if (isOnlyWarned) {
            ofStream.clear();
        }
        endEnforced();
    }

    /** Counts a stream that cannot be swept: the current one, or one that could not even be begun. */
    public void failed() {
        processed += ofStream.isEmpty() || isOnlyWarned ? 1 : 0;
        failed++;
        breakOff();
    }

    /** Leaves a stream from which nothing more may go now, because its records wait or it is quarantined. */
    public void notReady(StreamState left) {
        begin(left, isOnlyWarned);
        processed += ofStream.isEmpty() || isOnlyWarned ? 1 : 0;
        skipped.merge(Refusal.NOT_READY, 1L, Long::sum);
        breakOff();
    }

    private void endEnforced() {
        String ended = stream;
        if (ended != null) {
            ofStream.forEach((cause, tally) -> parts.add(new Part(ended, cause, tally.events(), tally.bytes())));
        }
        ofStream.clear();
        stream = null;
    }

    private static void add(Map<RemovalCause, Tally> tallies, RemovalCause cause, Tally tally) {
        tallies.merge(cause, tally, (one, other) -> one.plus(other.events(), other.bytes()));
    }

    /** Returns the counts of events that went, or would go in a dry run, and separately of those only warned of. */
    public CommandCounts counts() {
        Tally gone = sum(deleted);
        Tally kept = sum(warned);
        Map<Refusal, Long> left = new EnumMap<>(Refusal.class);
        left.putAll(skipped);
        if (failed > 0) {
            left.put(Refusal.FAILED, failed);
        }
        return new CommandCounts(processed, 0, executions, gone.events(), 0, gone.bytes(), Snapshot.of(left))
                .plus(CommandCounts.warned(kept.events(), kept.bytes()));
    }

    private static Tally sum(Map<RemovalCause, Tally> tallies) {
        return tallies.values().stream().reduce(Tally.ZERO, (one, other) -> one.plus(other.events(), other.bytes()));
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

    public BiggestParts parts() {
        return parts;
    }
}
