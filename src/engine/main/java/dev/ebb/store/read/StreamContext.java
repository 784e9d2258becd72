package dev.ebb.store.read;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Fate;
import dev.ebb.domain.retention.KeepReason;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.due.DueFilter;
import dev.ebb.store.due.DueVisitor;
import dev.ebb.store.due.DueWalk;
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
 * The knowledge about a stream that a reader needs, besides an event, to tell the fate of the event: the executions,
 * and which events are the last. Shows one moment. Not thread-safe.
 */
public final class StreamContext {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final StreamReader reader;
    private final StreamState root;
    private final StreamPicture picture;
    private final byte[] record;

    /** @param record the record from which the stream was read */
    StreamContext(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamReader reader, StreamState root, byte[] record) {
        this.events = events;
        this.reader = reader;
        this.root = root;
        this.picture = new StreamPicture(events, reader, root);
        this.record = record;
    }

    /** Returns the name of the stream. */
    public StreamName stream() {
        return root.stream();
    }

    /** Returns true if SQL has rows of the events of the stream, or is to have them (F-13). */
    public boolean hasRows() {
        return root.hasRows();
    }

    /** Returns true while rows of the stream come into SQL or go from there, because its policy has changed. */
    public boolean isTurningRows() {
        return root.move() != null && root.move().changesRows();
    }

    /** Returns the number of events of the stream, including protected ones. */
    public long totalEvents() {
        return root.totalEvents();
    }

    /** Returns the event as the decision sees it, including its execution. */
    public EventFacts facts(StoredEvent event) {
        Segment segment = picture.state().segment(event.event().execution());
        return segment == null ? event : segment.facts(event);
    }

    /** Returns the place of the event, as far as age, own TTL and guards need it; caps act in sweeps only. */
    public Place place(StoredEvent event, EffectivePolicy policy) {
        return picture.place(picture.state().segment(event.event().execution()), Position.of(event, policy), policy);
    }

    /**
     * Shows the visitor the events of the stream, including due ones: first the events that may go, in the order in
     * which they may go, then the protected ones by id. Skips ranges that cannot hold an event with a wanted status.
     *
     * @param filter the events of interest to the visitor; others are shown, too
     * @param cursor the result of an earlier visit with any filter; null to begin
     * @return the place to continue from if the visitor ended the visit; null if there is nothing more
     * @throws dev.ebb.domain.BadCursorException if the cursor is not one of this class
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
                && RetentionDecider.isHidden(facts, place(event, policy), policy, root.coverIf(isHeld, nowMs), nowMs);
    }

    /**
     * Returns the last millisecond at which age and own TTL leave the event, guards by {@code minAge} and the notice of
     * the stream included; {@link RetentionDecider#NEVER} if they never take it.
     */
    public long goesAtMs(StoredEvent event, EffectivePolicy policy) {
        EventFacts facts = facts(event);
        long dueAtMs = facts.isProtected() ? RetentionDecider.NEVER : RetentionDecider.removableAtMs(facts, policy);
        return Math.max(dueAtMs, noticeUntilMs());
    }

    /** Returns what becomes of the event by age or own TTL: the decision about it once that time has come. */
    public Fate fate(StoredEvent event, EffectivePolicy policy, boolean isHeld, long nowMs) {
        long goesAtMs = goesAtMs(event, policy);
        long atMs = goesAtMs == RetentionDecider.NEVER ? nowMs : Math.max(nowMs, goesAtMs + 1);
        Cover cover = root.coverIf(isHeld, atMs);
        return Fate.of(RetentionDecider.decide(facts(event), place(event, policy), policy, cover, atMs), policy);
    }

    /**
     * Returns the decision about the event in a sweep that begins at {@code nowMs}, including caps. Looks at other
     * events, namely those that would go, only if the stream is over a cap or its events lie in another order than the
     * policy wants.
     *
     * @param patience the longest time of that look
     * @return the decision; null if the look took longer
     */
    public @Nullable Decision decide(
            StoredEvent event, EffectivePolicy policy, boolean isHeld, long nowMs, Duration patience) {
        Cover cover = root.coverIf(isHeld, nowMs);
        Decision alone = RetentionDecider.decide(facts(event), place(event, policy), policy, cover, nowMs);
        boolean isLive = alone instanceof Decision.Keep keep && keep.reason() == KeepReason.LIVE;
        boolean isOverCap = policy.isOverCap(root.totalEvents(), root.totalBytes());
        if (cover != Cover.NONE || (picture.isArranged(policy) && !(isLive && isOverCap))) {
            return alone;
        }
        SoughtEvent sought = new SoughtEvent(event.event().id().value());
        if (!sought.isSettled(forecast(policy, false, nowMs), patience)) {
            return null;
        }
        return sought.isFound() ? sought.decision() : kept(alone);
    }

    /**
     * Returns the decision about an event that the sweep leaves: if the event stays only for its place in the order, it
     * is guarded.
     */
    private static Decision kept(Decision alone) {
        return alone.isRemove() ? new Decision.Keep(KeepReason.GUARDED) : alone;
    }

    /**
     * Returns a forecast of the events that a sweep at {@code nowMs} would remove from the stream under the policy,
     * whatever its mode.
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
     * Shows the visitor the events of the stream that age and own TTLs take up to {@code untilMs}, but not before the end
     * of its notice, whatever the mode of the policy; never an event that is protected, guarded or kept for ever. Shows execution after execution, within
     * each the soonest first, and reads nothing else. Only while the events move into another arrangement does it
     * read all of them, in their order there.
     *
     * @param fromMs only events whose last millisecond is at or after this time, epoch milliseconds
     * @param untilMs only events whose last millisecond is at or before this time, epoch milliseconds; less than {@link
     *     RetentionDecider#NEVER}
     * @param cursor the result of an earlier visit; null to begin
     * @return the place to continue from if the visitor ended the visit; null if there is nothing more
     * @throws dev.ebb.domain.BadCursorException if the cursor is not one of this class
     */
    public @Nullable String visitDue(
            EffectivePolicy policy, long fromMs, long untilMs, @Nullable String cursor, DueVisitor visitor) {
        if (root.noticeUntilMs() > untilMs) {
            return null;
        }
        DueFilter filter = new DueFilter(picture.state(), picture::place, policy, fromMs, untilMs);
        if (picture.isArranged(policy) && !ListedDueWalk.isOwnCursor(cursor)) {
            return new DueWalk(events, picture.state(), filter, visitor).walk(cursor);
        }
        return new ListedDueWalk(reader, picture.state(), filter, visitor).walk(cursor);
    }

    /** Returns true if the record of the stream proves that no event can fall due up to {@code untilMs}. */
    public boolean hasNothingDue(EffectivePolicy policy, long untilMs) {
        return root.noticeUntilMs() > untilMs
                || (picture.isArranged(policy)
                        && root.executions() == null
                        && !DueWalk.mayHaveDue(root.root(), policy, untilMs));
    }

    /**
     * Returns the figures of the stream that tell when its events fall due, whatever the policy.
     *
     * @param known the outline of an earlier picture; null if there is none
     * @param budget the budget for a closer look; null for none
     * @return the known outline if nothing has changed and a closer look is not wanted or would tell nothing more; else
     *     a new one
     */
    public StreamOutline outline(@Nullable StreamOutline known, @Nullable OutlineBudget budget) {
        boolean isWanted = budget != null && !budget.isSpent() && known != null && !known.isFine();
        if (known != null && !isWanted && known.mark() == OutlineReader.mark(record)) {
            return known;
        }
        return new OutlineReader(events, reader).outline(root, record, budget);
    }

    /**
     * Returns the oldest anchor of the events that are not protected, epoch milliseconds; null if none lies before
     * {@code timeMs}. Reads no event unless a head of the stream lies before {@code timeMs}.
     */
    public @Nullable Long oldestBefore(long timeMs) {
        boolean isLater =
                root.executions() == null && !root.isMoving() && !root.root().mayBeginBefore(timeMs);
        Long oldest = isLater ? null : new StreamEdges(events, reader).oldestMs(root);
        return oldest == null || oldest >= timeMs ? null : oldest;
    }

    /** Returns true if the stream has changed since this picture was taken. */
    public boolean isOutdated() {
        return !reader.isRecordOf(root.stream(), record);
    }

    /**
     * Returns true if the stream's events are moving into another arrangement: sweeps wait for the end of the move
     * (A-7).
     */
    public boolean isMoving() {
        return root.isMoving();
    }

    /**
     * Returns the last millisecond of the notice of the stream, epoch milliseconds; {@link StreamState#NO_NOTICE} if it
     * never had one.
     */
    public long noticeUntilMs() {
        return root.noticeUntilMs();
    }

    /**
     * Returns the reason why nothing is deleted from the stream until an operator has looked at it; null if nothing is
     * wrong.
     */
    public @Nullable Quarantine quarantine() {
        return root.quarantine();
    }

    /** Returns the known executions of the stream, lowest first; empty for a stream without executions. */
    public List<Execution> executions() {
        StreamState stream = picture.state();
        return stream.executions() == null && !stream.root().execution().isDeclared()
                ? List.of()
                : stream.segments().stream()
                        .filter(Segment::isKnown)
                        .map(segment -> segment.execution())
                        .toList();
    }

    /** Returns the stream that this one belongs to; null if none was ever named. */
    public @Nullable StreamName parent() {
        return root.parent();
    }

    /** Returns true if an execution is not terminal or an event is protected (M-6). */
    public boolean isOpen() {
        return root.isOpen();
    }

    /** Returns the stream with its executions, each of which has a record of its own. */
    public StreamState state() {
        return picture.state();
    }
}
