package dev.ebb.topology;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyComparison;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.DecodedPolicy;
import dev.ebb.serde.RecordReader;
import dev.ebb.store.EventHeader;
import dev.ebb.store.EventStore;
import dev.ebb.store.Removed;
import dev.ebb.store.StreamForecast;
import dev.ebb.store.StreamState;
import dev.ebb.topology.ErrandBodies.Assess;
import dev.ebb.topology.ErrandBodies.PolicyRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts in one partition what a change of policies would delete at once: what the next sweep would take under the new
 * policies, without what is due already under those in force. Not thread-safe.
 */
final class Assessment {

    private final EventStore store;
    private final PolicySet base;
    private final PolicySet before;
    private final PolicySet after;
    private final PolicyComparison comparison;
    private final long limit;
    private final long nowMs;
    private final Iterator<StreamState> rest;
    private @Nullable StreamForecast forecast;

    /** Where the events of the stream stand that is being counted, for the guard that is in force. */
    private Function<EventHeader, Place> places = event -> Place.WITHIN_CAPS;

    private long wouldDelete;
    private long stored;

    private Assessment(
            EventStore store,
            PolicySet base,
            List<PolicyEdit> confirmed,
            List<PolicyEdit> all,
            long limit,
            long nowMs) {
        this.store = store;
        this.base = base;
        this.before = base.with(confirmed);
        this.after = base.with(all);
        this.comparison = new PolicyComparison(before, after);
        this.limit = limit;
        this.nowMs = nowMs;
        this.rest = streams().iterator();
    }

    /** Those that the change can be about. */
    private List<StreamState> streams() {
        Set<StreamName> only = comparison.onlyStreams();
        return only == null
                ? List.copyOf(store.streams())
                : only.stream()
                        .flatMap(name -> Stream.ofNullable(store.stream(name)))
                        .toList();
    }

    /** Begins to count; null if a policy cannot be read yet. */
    static @Nullable Assessment begin(
            EventStore store, RecordReader reader, PolicySet base, Assess question, long nowMs) {
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
        return new Assessment(store, base, confirmed, all, question.limit(), nowMs);
    }

    /** The policies in force when it began. */
    PolicySet base() {
        return base;
    }

    /** Goes on as far as the budget goes; returns whether all is counted. */
    boolean step(SweepBudget budget) {
        while (forecast != null || rest.hasNext()) {
            if (budget.isSpent()) {
                return false;
            }
            if (forecast == null) {
                begin(rest.next());
            } else if (isAtLimit() || forecast.step(budget, this::count)) {
                forecast = null;
            }
            budget.spendStep();
        }
        return true;
    }

    BrakeFinding finding() {
        return new BrakeFinding(wouldDelete, isAtLimit(), stored);
    }

    private void begin(StreamState stream) {
        if (store.stream(stream.stream()) != stream) {
            return;
        }
        if (comparison.isInScope(stream.stream())) {
            stored += stream.totalEvents();
        }
        EffectivePolicy policy = after.effective(stream.stream());
        if (!isAtLimit() && policy.isEnforced() && comparison.touches(stream.stream())) {
            places = store.placesForKeepLast(stream, before.effective(stream.stream()));
            forecast = store.forecast(stream, policy, after.isHeld(stream.stream()), nowMs);
        }
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
        return decoded instanceof DecodedPolicy.OfHold hold ? new PolicyEdit(key, null, hold.hold()) : null;
    }
}
