package dev.ebb.topology.assess;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.PolicyComparison;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.store.EventStore;
import dev.ebb.store.forecast.FreedEvents;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamRound;
import dev.ebb.topology.wire.ErrandBodies.Assess;
import dev.ebb.topology.wire.ErrandBodies.PolicyRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Count of the events of one partition that a change of policies would delete at once, or within the horizon of the
 * brake (T-15): those that a sweep at some time until then would take under the new policies, and none would under the
 * former ones. Not thread-safe.
 */
public final class Assessment {

    private final EventStore store;
    private final PolicySet base;
    private final PolicySet before;
    private final PolicySet after;
    private final PolicyComparison comparison;
    private final Horizon horizon;
    private final StreamRound round;
    private final NamespaceLosses losses;
    private long stored;

    /**
     * @param base the policies in force
     * @param before the policies by which events may go without being counted
     * @param after the policies that would be in force
     * @param limit the most events to count
     */
    private Assessment(
            EventStore store,
            StreamGuard guard,
            PolicySet base,
            PolicySet before,
            PolicySet after,
            long limit,
            Horizon horizon) {
        this.store = store;
        this.base = base;
        this.before = before;
        this.after = after;
        this.comparison = new PolicyComparison(before, after);
        this.horizon = horizon;
        this.losses = new NamespaceLosses(limit);
        this.round = new StreamRound(guard, store, streams(), this::isMeant, this::begin);
    }

    /** Returns the streams that the change can concern. */
    private Iterator<StreamState> streams() {
        Set<StreamName> only = comparison.onlyStreams();
        return only == null
                ? store.glances()
                : only.stream()
                        .flatMap(name -> Stream.ofNullable(store.glance(name)))
                        .iterator();
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
        return of(store, guard, base, all, question.limit(), new Horizon(nowMs, question.horizonMs()));
    }

    /**
     * Begins the count of a change of policies; edits that their author has confirmed do not count.
     *
     * @param base the policies in force
     * @param limit the most events to count
     */
    public static Assessment of(
            EventStore store, StreamGuard guard, PolicySet base, List<PolicyEdit> edits, long limit, Horizon horizon) {
        List<PolicyEdit> confirmed =
                edits.stream().filter(PolicyEdit::isConfirmed).toList();
        return new Assessment(store, guard, base, base.with(confirmed), base.with(edits), limit, horizon);
    }

    /** Returns the policies in force when the count began. */
    PolicySet base() {
        return base;
    }

    /** Continues the count as far as the budget goes; returns true if all is counted. */
    public boolean step(SweepBudget budget) {
        return round.step(horizon.nowMs(), budget);
    }

    /** Returns the finding once all is counted. */
    public BrakeFinding finding() {
        return new BrakeFinding(
                losses.sum(), losses.left() == 0, stored, losses.list(store.namespaceTotals(), comparison::concerns));
    }

    /** Begins with a stream; returns null if the change takes nothing from it. */
    private StreamRound.@Nullable Look begin(StreamState stream) {
        return stream.isGone() || losses.left() == 0
                ? null
                : new SureCount(stream, () -> loss(stream), events -> loseAll(stream, events));
    }

    /** Counts a stream, or a copy of it, in; returns true if the change may take something from it. */
    private boolean isMeant(StreamState stream) {
        if (comparison.isInScope(stream.stream())) {
            stored += stream.totalEvents();
        }
        return losses.left() > 0
                && after.effective(stream.stream()).isEnforced()
                && (comparison.touches(stream.stream()) || comparison.reachesFurther(stream.stream()));
    }

    private StreamLoss loss(StreamState stream) {
        EffectivePolicy policy = before.effective(stream.stream());
        // Rows that a new target takes stayed under the former rules, as under a hold.
        Cover cover = Cover.ofHold(before.isHeld(stream.stream()) || comparison.reachesFurther(stream.stream()));
        FormerRules former = new FormerRules(policy, cover, store.placesForKeepLast(stream, policy));
        FreedEvents freed = comparison.freesStatuses()
                ? store.freed(stream, after.settings().statuses())
                : null;
        return new StreamLoss(store, stream, former, after, horizon, losses, freed);
    }

    /** Counts all events of a stream that cannot be counted, if the change can take any. */
    private void loseAll(StreamState stream, long events) {
        Scope scope = Scope.stream(stream.stream().value());
        if (!after.isHeld(stream.stream()) && comparison.canDeleteMoreIn(scope)) {
            losses.add(stream.stream().namespace(), Math.min(losses.left(), events));
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
        if (decoded instanceof DecodedPolicy.OfSource source) {
            return PolicyEdit.of(source.source());
        }
        return decoded instanceof DecodedPolicy.OfHold hold ? new PolicyEdit(key, null, hold.hold()) : null;
    }
}
