package dev.ebb.topology.undo;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pass that brings back the events of an undo where {@code keepLast} and the caps decide by all of these events which
 * of them stay: counts first, and then leaves out the events that the count has left out (T-3). After a crash it counts
 * again; events that are back then count as stored. Not thread-safe.
 */
public final class SurveyedReturn implements UndoPass {

    private final UndoCount survey;
    private final Function<Map<StreamName, PushedOut>, UndoReturn> returns;
    private final UndoTally tally;
    private @Nullable UndoReturn second;

    /**
     * @param survey the count
     * @param returns begins to bring back all but the given events
     * @param tally counts the events that are brought back
     */
    public SurveyedReturn(UndoCount survey, Function<Map<StreamName, PushedOut>, UndoReturn> returns, UndoTally tally) {
        this.survey = survey;
        this.returns = returns;
        this.tally = tally;
    }

    /** Returns true if, under any of the policies, other events of a stream may decide which events are due. */
    public static boolean isNeeded(PolicySet policies) {
        Stream<EffectivePolicy> ofNamespaces =
                policies.namespacesWithRecord().stream().map(policies::effectiveIn);
        Stream<EffectivePolicy> ofStreams =
                policies.streamsWithRecord().stream().map(StreamName::new).map(policies::effective);
        return UndoForecast.isNeeded(policies.effectiveIn(null))
                || Stream.concat(ofNamespaces, ofStreams).anyMatch(UndoForecast::isNeeded);
    }

    @Override
    public boolean slice(long nowMs, SweepBudget budget) {
        UndoReturn current = second;
        if (current == null) {
            if (!survey.slice(nowMs, budget)) {
                return false;
            }
            survey.close();
            current = returns.apply(survey.pushedOut());
            second = current;
        }
        return current.slice(nowMs, budget);
    }

    @Override
    public @Nullable String problem() {
        return second == null ? survey.problem() : second.problem();
    }

    @Override
    public UndoTally tally() {
        return tally;
    }

    @Override
    public void close() {
        survey.close();
        if (second != null) {
            second.close();
        }
    }
}
