package dev.ebb.store.state;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.index.SidRange;
import dev.ebb.store.layout.Location;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Recounts the totals of the namespaces of a partition in slices, between which streams come, change and go. Streams
 * that the walk has passed are counted, and changes behind it are counted as they happen. The recount reads no event:
 * it adds up the usage of streams, which a {@code Recount} checks against their events. A figure that goes wrong in the
 * middle of a round may go wrong here as well; the next round begins at zero and finds the fault. Not thread-safe.
 */
public final class NamespaceRecount implements NamespaceCounts.Watcher {

    private final StreamTable streams;
    private final NamespaceCounts kept;
    private final NamespaceCounts found = new NamespaceCounts();

    /**
     * The number of the stream that was passed last, and the highest number of its passed executions; greater than all
     * numbers at the end.
     */
    private int sid;

    private long execution;

    /** The stream that was passed last; null before the first one. */
    private @Nullable StreamState current;

    private final SidRange sids;

    /** The namespaces that have yet to be compared; null while streams are counted. */
    private @Nullable Iterator<String> uncompared;

    public NamespaceRecount(StreamTable streams, NamespaceCounts kept) {
        this.streams = streams;
        this.kept = kept;
        this.sids = streams.sids();
        kept.attach(this);
    }

    /** Returns true if the counts have not been reopened since the recount began; otherwise it has missed changes. */
    public boolean isValid() {
        return kept.isAttached(this);
    }

    /**
     * Continues counting, then compares, and corrects figures that differ.
     *
     * @param differences receives a description of each wrong figure, for people
     * @return true if the round is over; false if the budget ended the slice
     */
    public boolean slice(SweepBudget budget, Consumer<String> differences) {
        while (uncompared == null) {
            if (budget.isSpent()) {
                return false;
            }
            if (!passNext()) {
                sid = Integer.MAX_VALUE;
                uncompared = names();
            }
            budget.spendDelete();
        }
        return compare(uncompared, budget, differences);
    }

    private boolean compare(Iterator<String> names, SweepBudget budget, Consumer<String> differences) {
        while (names.hasNext()) {
            if (budget.isSpent()) {
                return false;
            }
            String difference = kept.mend(names.next(), found);
            if (difference != null) {
                differences.accept(difference);
            }
            budget.spendDelete();
        }
        kept.attach(null);
        return true;
    }

    private Iterator<String> names() {
        List<String> names = new ArrayList<>(kept.names());
        names.addAll(found.names());
        return names.iterator();
    }

    /** Counts the next execution, or the next stream with its execution 0; returns false if there are no more. */
    private boolean passNext() {
        StreamState passed = current == null || current.isGone() ? null : current;
        Segment next = passed == null ? null : passed.segmentFrom(execution + 1);
        if (next == null) {
            StreamState stream = streams.glanceAfter(sids, sid);
            current = stream;
            if (stream == null) {
                return false;
            }
            sid = stream.sid();
            found.addStream(stream.stream().namespace(), 1);
            if (!stream.isCached()) {
                // A copy does not see what changes until the next slice, so it is counted at once.
                stream.segments().forEach(segment -> found.add(segment, 1));
                execution = Long.MAX_VALUE;
                current = null;
                return true;
            }
            next = stream.root();
        }
        execution = next.number();
        found.add(next, 1);
        return true;
    }

    @Override
    public void note(StreamState stream, int sign) {
        if (stream.sid() <= sid) {
            found.addStream(stream.stream().namespace(), sign);
        }
    }

    @Override
    public void note(Segment segment, int sign) {
        if (isBehind(segment)) {
            found.add(segment, sign);
        }
    }

    @Override
    public void note(Segment segment, Location location, int sign) {
        if (isBehind(segment)) {
            found.add(segment, location, sign);
        }
    }

    private boolean isBehind(Segment segment) {
        int number = segment.stream().sid();
        return number < sid || (number == sid && segment.number() <= execution);
    }
}
