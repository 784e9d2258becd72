package dev.ebb.store.read;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.domain.retention.KeepReason;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.due.DueEvent;
import dev.ebb.store.due.DueFilter;
import dev.ebb.store.due.DueVisitor;
import dev.ebb.store.due.DueWalk;
import dev.ebb.store.due.SoonestDue;
import dev.ebb.store.due.SoonestDueWalk;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.StaleWork;
import dev.ebb.store.forecast.RearrangedForecast;
import dev.ebb.store.forecast.ShadowForecast;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.forecast.StreamSweep;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.NamespaceCounts;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Knowledge of a stream that a reader needs besides an event to tell the fate of that event: the executions, and which
 * events are the last. A picture of one moment. Not thread-safe.
 */
public final class StreamContext {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final StreamReader reader;
    private final StreamState root;
    private final StreamPicture picture;
    private final byte[] record;

    /** @param record the record that the stream was read from */
    StreamContext(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamReader reader, StreamState root, byte[] record) {
        this.events = events;
        this.reader = reader;
        this.root = root;
        this.picture = new StreamPicture(events, reader, root);
        this.record = record;
    }

    /** The stream. */
    public StreamName stream() {
        return root.stream();
    }

    /** All its events, protected ones included. */
    public long totalEvents() {
        return root.totalEvents();
    }

    /** The event as the decision sees it, its execution included. */
    public EventFacts facts(StoredEvent event) {
        Segment segment = picture.state().segment(event.event().execution());
        return segment == null ? event : segment.facts(event);
    }

    /** The place of the event as far as age, own TTL and guards need it; caps act in sweeps only. */
    public Place place(StoredEvent event, EffectivePolicy policy) {
        return picture.place(picture.state().segment(event.event().execution()), Position.of(event, policy), policy);
    }

    /**
     * Shows the visitor events of the stream, due ones included: first those that may go in the order in which they may
     * go, then the protected ones by id. Ranges in which no event has a status that is asked for are not read.
     *
     * @param filter the events that the visitor is interested in; others are shown, too
     * @param cursor the result of a former visit, whatever its filter; null to begin
     * @return where to go on if the visitor has ended the visit; null if there is nothing more
     * @throws IllegalArgumentException if the cursor is none of ours
     */
    public @Nullable String visit(StatusFilter filter, @Nullable String cursor, EventVisitor visitor) {
        return reader.visit(root, filter, cursor, visitor);
    }

    /** Returns true if the filter can match only protected events. */
    public boolean isOnlyAmongProtected(StatusFilter filter) {
        return !filter.mayBeIn(Range.ORDERED, root);
    }

    /** Returns true if readers do not see the event (M-17). */
    public boolean isHidden(StoredEvent event, EffectivePolicy policy, boolean isHeld, long nowMs) {
        EventFacts facts = facts(event);
        return RetentionDecider.isDue(facts, policy, nowMs)
                && RetentionDecider.isHidden(facts, place(event, policy), policy, isHeld, nowMs);
    }

    /**
     * Decision of a sweep that began at that time about the event, caps included. Only where the stream is over a cap,
     * or its events lie in another order than the policy wants, are other events looked at: those that would go.
     *
     * @param patience longest time of that look
     * @return the decision; null if the look took longer
     */
    public @Nullable Decision decide(
            StoredEvent event, EffectivePolicy policy, boolean isHeld, long nowMs, Duration patience) {
        Decision alone = RetentionDecider.decide(facts(event), place(event, policy), policy, isHeld, nowMs);
        boolean isLive = alone instanceof Decision.Keep keep && keep.reason() == KeepReason.LIVE;
        boolean isOverCap = policy.isOverCap(root.totalEvents(), root.totalBytes());
        if (isHeld || (picture.isArranged(policy) && !(isLive && isOverCap))) {
            return alone;
        }
        SoughtEvent sought = new SoughtEvent(event.event().id().value());
        if (!sought.isSettled(forecast(policy, false, nowMs), patience)) {
            return null;
        }
        return sought.isFound() ? sought.decision() : kept(alone);
    }

    /** The decision for an event that the sweep leaves: if only the order of events told otherwise, it is guarded. */
    private static Decision kept(Decision alone) {
        return alone.isRemove() ? new Decision.Keep(KeepReason.GUARDED) : alone;
    }

    /**
     * Forecast of the events that a sweep at that time would remove from the stream under that policy, whatever its
     * mode.
     *
     * @param isHeld true if a hold would cover the stream
     */
    public StreamForecast forecast(EffectivePolicy policy, boolean isHeld, long nowMs) {
        StreamState stream = picture.state();
        StreamState shadow = stream.shadow();
        shadow.setPolicy(policy, isHeld);
        ReadOnlyView view = new ReadOnlyView(events);
        EventTable table = new EventTable(view, new NamespaceCounts(), new StaleWork(view));
        return picture.isArranged(policy)
                ? new ShadowForecast(new StreamSweep(table, null), shadow, nowMs)
                : new RearrangedForecast(table, stream, shadow, nowMs);
    }

    /**
     * Shows the visitor the events of the stream that age and own TTLs take up to a moment: whatever the mode of the
     * policy, but no event that is protected, guarded or kept for ever. Execution after execution, in each of them the
     * soonest first, and nothing else is read; only while the events move into another arrangement are all of
     * them read, in their order there.
     *
     * @param fromMs only events whose last millisecond is not before, epoch milliseconds
     * @param untilMs only events whose last millisecond is not after, less than {@link RetentionDecider#NEVER}
     * @param cursor the result of a former visit; null to begin
     * @return where to go on if the visitor has ended the visit; null if there is nothing more
     * @throws IllegalArgumentException if the cursor is none of ours
     */
    public @Nullable String visitDue(
            EffectivePolicy policy, long fromMs, long untilMs, @Nullable String cursor, DueVisitor visitor) {
        DueFilter filter = new DueFilter(picture.state(), picture::place, policy, fromMs, untilMs);
        if (picture.isArranged(policy) && !ListedDueWalk.isOwnCursor(cursor)) {
            return new DueWalk(events, picture.state(), filter, visitor).walk(cursor);
        }
        return new ListedDueWalk(reader, picture.state(), filter, visitor).walk(cursor);
    }

    /**
     * Offers the search the events of the stream that age and own TTLs take, as {@link #visitDue} shows them: no
     * further than they may still be wanted.
     */
    public void findSoonest(EffectivePolicy policy, long fromMs, long untilMs, SoonestDue soonest) {
        DueFilter filter = new DueFilter(picture.state(), picture::place, policy, fromMs, untilMs);
        if (picture.isArranged(policy)) {
            new SoonestDueWalk(events, picture.state(), filter, soonest).walk();
            return;
        }
        reader.visitUnprotected(root, null, value -> {
            DueEvent due = filter.of(value);
            if (due != null) {
                Position position = Position.of(due.event(), policy);
                soonest.offer(
                        new DueMark(due.lastMs(), stream(), position.execution(), position.anchorMs(), position.seq()),
                        due.event().id());
            }
            return soonest.look();
        });
    }

    /** Returns true if the record of the stream says that no event can come due up to that moment. */
    public boolean hasNothingDue(EffectivePolicy policy, long untilMs) {
        return picture.isArranged(policy)
                && root.executions() == null
                && !DueWalk.mayHaveDue(root.root(), policy, untilMs);
    }

    /**
     * Figures of the stream that tell when its events fall due, whatever the policy.
     *
     * @param known the outline of an earlier picture; null if there is none
     * @param budget for a closer look; null for none
     * @return that outline if nothing has changed and a closer look is not wanted or tells nothing more, or else a new one
     */
    public StreamOutline outline(@Nullable StreamOutline known, @Nullable OutlineBudget budget) {
        boolean isWanted = budget != null && !budget.isSpent() && known != null && !known.isFine();
        if (known != null && !isWanted && known.mark() == OutlineReader.mark(record)) {
            return known;
        }
        return new OutlineReader(events, reader).outline(root, record, budget);
    }

    /**
     * The oldest anchor of the events that are not protected, epoch milliseconds; null if there is none before that time. Where
     * no head of the stream lies before, no event is read.
     */
    public @Nullable Long oldestBefore(long timeMs) {
        boolean isLater =
                root.executions() == null && !root.isMoving() && !root.root().mayBeginBefore(timeMs);
        Long oldest = isLater ? null : new StreamEdges(events, reader).oldestMs(root);
        return oldest == null || oldest >= timeMs ? null : oldest;
    }

    /** Returns true if the stream was changed after this picture was taken. */
    public boolean isOutdated() {
        return !reader.isRecordOf(root.stream(), record);
    }

    /** Returns true if the stream's events are on their way into another arrangement: sweeps wait for that. */
    public boolean isMoving() {
        return root.isMoving();
    }

    /** Reason why nothing is deleted from the stream until an operator has looked at it; null if nothing is wrong. */
    public @Nullable Quarantine quarantine() {
        return root.quarantine();
    }

    /** Known executions of the stream, lowest first; empty for a stream without any. */
    public List<Execution> executions() {
        StreamState stream = picture.state();
        return stream.executions() == null && !stream.root().execution().isDeclared()
                ? List.of()
                : stream.segments().stream()
                        .filter(Segment::isKnown)
                        .map(segment -> segment.execution())
                        .toList();
    }

    /** The stream that this one belongs to; null if none was ever named. */
    public @Nullable StreamName parent() {
        return root.parent();
    }

    /** Returns true if an execution is not terminal or an event is protected (M-6). */
    public boolean isOpen() {
        return root.isOpen();
    }

    /** The stream with its executions, each of which has a record of its own. */
    public StreamState state() {
        return picture.state();
    }
}
