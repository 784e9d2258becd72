package dev.ebb.store.forecast;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.KeepLast;
import dev.ebb.store.events.ListCursor;
import dev.ebb.store.events.ListWalk;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * The forecast for a stream whose events would lie in another order under the policy. It remembers none of the events,
 * however many there are: it reads them in several passes. If the neighbours of an event matter, an earlier pass finds
 * the position from which on they do. Events that go are shown in the order in which they are read. While another set
 * of terminal statuses is being applied, events count as they are.
 */
public final class RearrangedForecast implements StreamForecast {

    private final EventTable events;
    private final StreamState stream;
    private final StreamState shadow;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final CapForecast caps;

    /** The search for the first event that {@code keepLast} keeps. */
    private final CutSearch lineSearch;

    private KeepLast keepLast = KeepLast.NOTHING;
    private Pass pass;

    /** The place where the pass continues; null at its beginning. */
    private @Nullable String cursor;

    public RearrangedForecast(EventTable events, StreamState stream, StreamState shadow, long nowMs) {
        this(events, stream, shadow, nowMs, CutSearch.WINDOW);
    }

    /** @param window the most positions to remember at once for one purpose */
    RearrangedForecast(EventTable events, StreamState stream, StreamState shadow, long nowMs, int window) {
        this.events = events;
        this.stream = stream;
        this.shadow = shadow;
        this.policy = shadow.policy();
        this.nowMs = nowMs;
        this.caps = new CapForecast(shadow, window);
        this.lineSearch = new CutSearch(0, window);
        boolean hasLine =
                shadow.executions() == null && !policy.keepLast().value().isNone();
        this.pass = shadow.cover(nowMs) != Cover.NONE ? Pass.DONE : hasLine ? Pass.LINE : Pass.DUE;
    }

    private enum Pass {
        LINE,
        DUE,
        CUTS,
        CAPS,
        DONE
    }

    /** An event that may go, and its place under the policy. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(Segment segment, EventHeader event, Location location, byte[] value) {

        Position position() {
            return location.position();
        }
    }

    @Override
    public boolean step(SweepBudget budget, RemovalListener listener) {
        while (pass != Pass.DONE) {
            boolean endsEarly = pass == Pass.CUTS || pass == Pass.CAPS;
            long last = endsEarly ? caps.lastExecution() : Long.MAX_VALUE;
            ListWalk walk = new ListWalk(events.store(), stream, ListCursor.parse(cursor), last);
            cursor = walk.walk(Range::isPositional, stored -> look(stored.value, budget, listener));
            if (cursor != null) {
                return false;
            }
            pass = next(listener);
        }
        return true;
    }

    /** Returns false if the budget is spent. */
    private boolean look(byte[] stored, SweepBudget budget, RemovalListener listener) {
        if (budget.isSpent()) {
            return false;
        }
        budget.spendStep();
        EventHeader event = StoredEventCodec.decodeHeader(stored);
        Segment segment = shadow.segment(event.execution());
        if (segment == null || !segment.execution().isTerminal()) {
            return true;
        }
        Entry entry = new Entry(segment, event, events.locate(segment, event, 0), stored);
        Range range = entry.location().range();
        if (range == Range.ORDERED || range == Range.TIMED) {
            look(entry, budget, listener);
        }
        return true;
    }

    private void look(Entry entry, SweepBudget budget, RemovalListener listener) {
        switch (pass) {
            case LINE -> lineSearch.show(entry.position(), 1);
            case DUE -> takeDue(entry, budget, listener);
            case CUTS -> showLoose(entry);
            default -> takeOverCap(entry, budget, listener);
        }
    }

    private Pass next(RemovalListener listener) {
        switch (pass) {
            case LINE -> {
                if (!lineSearch.endPass(
                        lineSearch.total() - policy.keepLast().value().value())) {
                    return Pass.LINE;
                }
                keepLast = KeepLast.from(lineSearch.cut());
                return Pass.DUE;
            }
            case DUE -> {
                shadow.forgetEmptied(nowMs, execution -> listener.executionRemoved(shadow, execution));
                return caps.plan() ? afterCuts() : Pass.DONE;
            }
            case CUTS -> {
                caps.endPass();
                return afterCuts();
            }
            default -> {
                return Pass.DONE;
            }
        }
    }

    private Pass afterCuts() {
        return caps.isSearching() ? Pass.CUTS : Pass.CAPS;
    }

    private void takeDue(Entry entry, SweepBudget budget, RemovalListener listener) {
        Decision decision = decide(entry, CapForecast.OVER_ALL_CAPS);
        if (decision instanceof Decision.Remove removal && !removal.cause().isCap()) {
            remove(entry, removal.cause(), budget, listener);
        } else {
            caps.add(entry.segment(), entry.position(), entry.event().sizeBytes(), decision.isRemove());
        }
    }

    private void showLoose(Entry entry) {
        if (decide(entry, CapForecast.OVER_ALL_CAPS) instanceof Decision.Remove removal
                && removal.cause().isCap()) {
            caps.show(entry.position(), entry.event().sizeBytes());
        }
    }

    /** Takes an event over a cap; events that age or an own TTL takes have been shown already. */
    private void takeOverCap(Entry entry, SweepBudget budget, RemovalListener listener) {
        if (decide(entry, caps.place(entry.position())) instanceof Decision.Remove removal
                && removal.cause().isCap()) {
            remove(entry, removal.cause(), budget, listener);
        }
    }

    private Decision decide(Entry entry, Place place) {
        Segment segment = entry.segment();
        Place known = keepLast.place(place, entry.position()).inExecution(shadow.rankForDecision(segment));
        return segment.decide(entry.event(), known, policy, shadow.cover(nowMs), nowMs);
    }

    private void remove(Entry entry, RemovalCause cause, SweepBudget budget, RemovalListener listener) {
        Segment segment = entry.segment();
        events.remove(segment, entry.event(), entry.location());
        listener.removed(shadow, Removed.of(segment, entry.event(), cause, entry.value()));
        budget.spendDelete();
    }
}
