package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.BrakeTally;
import dev.ebb.domain.policy.change.SpentDeletes;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.time.Durations;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.assess.GapCount;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.wire.ErrandBodies.ClockAhead;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the clock with the newest time that the state of a task has seen (T-14). A start too long after that time
 * is a long stop or a wrong clock, which look the same: nothing is swept and nothing forgotten until it is counted what
 * the time would take, and that is little, or a person has confirmed it. Records are taken in meanwhile. Not thread-safe.
 */
final class ClockGap {

    /** Name of the note that holds the newest time. */
    static final String NOTE = "clock/seen";

    /** Time between two notes: much less than the shortest gap, and next to nothing for an idle task. */
    private static final long NOTE_PERIOD_MS = 600_000;

    /** Time between two reports to the policy gate, as long as a confirmation is missing. */
    private static final long REPORT_PERIOD_MS = 10_000;

    private final PartitionParts here;
    private final EventStore store;
    private final PolicyViews policies;
    private final Limit maxGap;
    private final BrakeLimits limits;
    private final boolean isOn;
    private long seenMs;
    private boolean isNoted;
    private boolean isOpen;
    private @Nullable GapCount count;
    private @Nullable BrakeFinding finding;
    private long nextReportMs;

    /**
     * @param partitions number of partitions, which share the number of events that may always go
     * @param nowMs the time of the start, epoch milliseconds
     */
    ClockGap(PartitionParts here, PolicyViews policies, TopologySettings settings, int partitions, long nowMs) {
        BrakeLimits all = settings.brakeLimits();
        byte[] note = here.store().pending().get(NOTE);
        this.here = here;
        this.store = here.store();
        this.policies = policies;
        this.maxGap = settings.clockMaxGap();
        this.limits = new BrakeLimits(all.sharePercent(), all.minimumEvents() / partitions, 0);
        this.isNoted = note != null;
        this.seenMs = note == null ? newestStored(nowMs) : ByteBuffer.wrap(note).getLong();
        this.isOn = all.isOn();
        this.isOpen = isOn && isTooFar(nowMs);
    }

    private long newestStored(long nowMs) {
        // Only where no note was ever written, so that there are few streams.
        Iterator<StreamState> streams = store.glances();
        long newest = streams.hasNext() ? Long.MIN_VALUE : nowMs;
        while (streams.hasNext()) {
            newest = Math.max(newest, streams.next().lastStoredAt());
        }
        return newest;
    }

    /** A confirmed time counts like one that was seen, unless it is a time to come. */
    private boolean isTooFar(long nowMs) {
        long confirmedMs = policies.confirmedClock().at(here.partition());
        boolean isToCome = confirmedMs > nowMs && confirmedMs - nowMs > maxGap.value();
        return nowMs - (isToCome ? seenMs : Math.max(seenMs, confirmedMs)) > maxGap.value();
    }

    /** Returns true while nothing may be swept or forgotten. */
    boolean isOpen() {
        return isOpen;
    }

    /** Returns the reason why nothing may be swept, not even by hand; null if it may. */
    @Nullable
    String problem() {
        return isOpen ? "the clock is far ahead of the newest time in the state and has not been confirmed" : null;
    }

    /**
     * Ends the gap once the clock is right again or confirmed; otherwise notes the time now and then. A clock that jumps
     * while the task runs opens the gap as well. Not to be called while the clock is known to be wrong.
     */
    void look(long nowMs) {
        boolean isFar = isOn && isTooFar(nowMs);
        if (isOpen && !isFar) {
            close();
        }
        isOpen = isFar;
        if (!isOpen && (!isNoted || nowMs - seenMs >= NOTE_PERIOD_MS || isSeenToCome(nowMs))) {
            note(nowMs);
        }
    }

    /** Returns true if the newest time seen is so far ahead that a wrong clock must have set it. */
    private boolean isSeenToCome(long nowMs) {
        return seenMs - nowMs > maxGap.value();
    }

    private void note(long nowMs) {
        isNoted = true;
        seenMs = isSeenToCome(nowMs) ? nowMs : Math.max(seenMs, nowMs);
        store.savePending(NOTE, ByteBuffer.allocate(Long.BYTES).putLong(seenMs).array());
    }

    private void close() {
        isOpen = false;
        count = null;
        finding = null;
    }

    /** Counts what the time would take, and asks for a confirmation if that is much. */
    void slice(PolicySet newest, long nowMs, SweepBudget budget) {
        if (!isOpen || budget.isSpent()) {
            return;
        }
        GapCount counting = counting(newest, nowMs);
        BrakeFinding found = finding;
        if (found == null && counting.step(budget)) {
            found = counting.finding(trashThatEnds(nowMs));
            finding = found;
            nextReportMs = nowMs;
        }
        if (found != null && mayGo(found)) {
            close();
            note(nowMs);
        } else if (found != null && Durations.isOver(nextReportMs, REPORT_PERIOD_MS, nowMs)) {
            nextReportMs = nowMs + REPORT_PERIOD_MS;
            String body = JsonState.write(new ClockAhead(seenMs, nowMs, found.wouldDelete(), found.stored()));
            String id = "clock-" + here.partition();
            here.outbox().assessment(new Errand(id, Errand.Step.CLOCK_AHEAD, here.partition(), body), nowMs);
        }
    }

    private boolean mayGo(BrakeFinding found) {
        return BrakeTally.of(found, limits, namespace -> SpentDeletes.NOTHING).verdict() != BrakeTally.Verdict.HOLD;
    }

    /** Returns the count by these policies, which begins anew if they have changed. */
    @SuppressWarnings("ReferenceEquality") // any change makes another set
    private GapCount counting(PolicySet newest, long nowMs) {
        GapCount known = count;
        if (known == null || known.policies() != newest) {
            known = new GapCount(here, newest, seenMs, nowMs);
            count = known;
            finding = null;
        }
        return known;
    }

    /** Returns the number of deleted events that could no longer be brought back: the time takes them for good. */
    private long trashThatEnds(long nowMs) {
        return here.outbox().trash().book().sums().stream()
                .filter(sum -> sum.untilMs() > seenMs && sum.firstUntilMs() <= nowMs)
                .mapToLong(TrashSum::events)
                .sum();
    }

    /** Returns true if the count can go on at once. */
    boolean isCounting() {
        return isOpen && finding == null;
    }

    /** Returns the time of the next note or report. */
    long nextMs() {
        return isOpen ? nextReportMs : seenMs + NOTE_PERIOD_MS;
    }
}
