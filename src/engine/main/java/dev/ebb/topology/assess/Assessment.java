package dev.ebb.topology.assess;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.PolicyComparison;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.FreedEvents;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.wire.ErrandBodies.Assess;
import dev.ebb.topology.wire.ErrandBodies.PolicyRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Count of the events of one partition that a change of policies would delete at once: those that the next sweep would
 * take under the new policies, without those that are already due under the policies in force. Not thread-safe.
 */
final class Assessment {

    private final EventStore store;
    private final StreamGuard guard;
    private final PolicySet base;
    private final PolicySet before;
    private final PolicySet after;
    private final PolicyComparison comparison;
    private final long limit;
    private final long nowMs;
    private final Iterator<StreamState> rest;
    private @Nullable StreamState counted;
    private @Nullable StreamForecast forecast;

    /** Count of the events that a change of the terminal statuses frees in that stream; null if it frees none. */
    private @Nullable FreedEvents freed;

    /** Places of the events of the stream that is being counted, for the guard in force. */
    private Function<EventHeader, Place> places = event -> Place.WITHIN_CAPS;

    private long wouldDelete;
    private long stored;

    private Assessment(
            EventStore store,
            StreamGuard guard,
            PolicySet base,
            List<PolicyEdit> confirmed,
            List<PolicyEdit> all,
            long limit,
            long nowMs) {
        this.store = store;
        this.guard = guard;
        this.base = base;
        this.before = base.with(confirmed);
        this.after = base.with(all);
        this.comparison = new PolicyComparison(before, after);
        this.limit = limit;
        this.nowMs = nowMs;
        this.rest = streams().iterator();
    }

    /** Returns the streams that the change can concern. */
    private List<StreamState> streams() {
        Set<StreamName> only = comparison.onlyStreams();
        return only == null
                ? List.copyOf(store.streams())
                : only.stream()
                        .flatMap(name -> Stream.ofNullable(store.stream(name)))
                        .toList();
    }

    /** Begins the count; returns null if a policy cannot be read yet. */
    static @Nullable Assessment begin(
            EventStore store, StreamGuard guard, RecordReader reader, PolicySet base, Assess question, long nowMs) {
        List<PolicyEdit> all = new ArrayList<>();
        for (PolicyRecord change : question.changes()) {
            PolicyEdit edit = edit(reader, change);
            if (edit == null) {
                return null;
            }
            all.add(edit);
        }
        List<PolicyEdit> confirmed =
                all.stream().filter(PolicyEdit::isConfirmed).toList();
        return new Assessment(store, guard, base, confirmed, all, question.limit(), nowMs);
    }

    /** Returns the policies in force when the count began. */
    PolicySet base() {
        return base;
    }

    /** Continues the count as far as the budget goes; returns true if all is counted. */
    boolean step(SweepBudget budget) {
        while (counted != null || rest.hasNext()) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState stream = counted == null ? rest.next() : counted;
            counted = stream;
            if (guard.run(stream, nowMs, () -> count(stream, budget))) {
                counted = null;
                forecast = null;
                freed = null;
            }
            budget.spendStep();
        }
        return true;
    }

    /** Counts the stream; returns true if nothing more of it is to be counted. */
    private boolean count(StreamState stream, SweepBudget budget) {
        if (forecast == null) {
            forecast = begin(stream);
        }
        if (forecast == null || isAtLimit()) {
            return true;
        }
        return countFreed(budget) && forecast.step(budget, this::count);
    }

    private boolean countFreed(SweepBudget budget) {
        FreedEvents counting = freed;
        if (counting == null) {
            return true;
        }
        boolean isDone = counting.step(budget);
        if (isDone) {
            wouldDelete = Math.min(limit, wouldDelete + counting.count());
            freed = null;
        }
        return isDone;
    }

    BrakeFinding finding() {
        return new BrakeFinding(wouldDelete, isAtLimit(), stored);
    }

    /** Begins with a stream; returns null if the change takes nothing from it, or quarantine keeps all of it. */
    private @Nullable StreamForecast begin(StreamState stream) {
        if (store.stream(stream.stream()) != stream) {
            return null;
        }
        if (comparison.isInScope(stream.stream())) {
            stored += stream.totalEvents();
        }
        EffectivePolicy policy = after.effective(stream.stream());
        boolean isReached = policy.isEnforced() && comparison.touches(stream.stream());
        if (isAtLimit() || !isReached || stream.quarantine() != null) {
            return null;
        }
        freed = comparison.freesStatuses()
                ? store.freed(stream, after.settings().statuses())
                : null;
        places = store.placesForKeepLast(stream, before.effective(stream.stream()));
        return store.forecast(stream, policy, after.isHeld(stream.stream()), nowMs);
    }

    private boolean isAtLimit() {
        return wouldDelete >= limit;
    }

    private void count(StreamState stream, Removed removed) {
        EffectivePolicy policy = before.effective(stream.stream());
        boolean wasDue = RetentionDecider.isHidden(
                removed.facts(), places.apply(removed.event()), policy, before.isHeld(stream.stream()), nowMs);
        if (!wasDue && !isAtLimit()) {
            wouldDelete++;
        }
    }

    private static @Nullable PolicyEdit edit(RecordReader reader, PolicyRecord change) {
        PolicyKey key = PolicyKey.parse(change.key());
        byte[] value = change.value();
        if (value == null) {
            return new PolicyEdit(key, null, null);
        }
        DecodedPolicy decoded = reader.readPolicy(change.key(), value);
        if (decoded instanceof DecodedPolicy.Policy policy) {
            return new PolicyEdit(key, policy.policy(), null);
        }
        if (decoded instanceof DecodedPolicy.OfSettings settings) {
            return PolicyEdit.of(settings.settings());
        }
        return decoded instanceof DecodedPolicy.OfHold hold ? new PolicyEdit(key, null, hold.hold()) : null;
    }
}
