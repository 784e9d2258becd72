package dev.ebb.topology.assess;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.wire.ErrandBodies.Assess;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Desk that counts for the policy gate how much of one partition a change of policies would delete at once or soon
 * (O-8, T-15): in slices, under the policies that the gate knew when it asked, or newer ones. Nothing is kept across a restart, since
 * the gate asks again. Not thread-safe.
 */
public final class AssessmentDesk {

    /** Time for which an answer holds: as much may come in during it as during a count. */
    private static final long STILL_TRUE_MS = 10_000;

    private final EventStore store;
    private final StreamGuard guard;
    private final RecordReader reader;
    private final Supplier<PolicyView> view;
    private final Outbox outbox;
    private final int partition;
    private @Nullable Asked asked;
    private @Nullable Assessment assessment;
    private @Nullable Answered answered;

    public AssessmentDesk(PartitionParts here, RecordReader reader, Supplier<PolicyView> view) {
        this.store = here.store();
        this.guard = here.guard();
        this.outbox = here.outbox();
        this.partition = here.partition();
        this.reader = reader;
        this.view = view;
    }

    private record Asked(String assessmentId, Assess question) {}

    /** Last answer. If the gate asked again while the answer was on its way, no new count is necessary. */
    private record Answered(Assess question, PolicySet base, BrakeFinding finding, long atMs) {

        @SuppressWarnings("ReferenceEquality") // other policies, even of equal content, need another count
        boolean answers(Assess other, PolicySet policies, long nowMs) {
            return base == policies && Math.abs(nowMs - atMs) <= STILL_TRUE_MS && isSame(question, other);
        }
    }

    /** Returns true if the questions are equal, even under different policies. */
    private static boolean isSame(Assess one, Assess other) {
        return one.limit() == other.limit()
                && one.horizonMs() == other.horizonMs()
                && texts(one).equals(texts(other));
    }

    private static List<String> texts(Assess question) {
        return question.changes().stream()
                .map(change -> change.key() + Arrays.toString(change.value()))
                .toList();
    }

    /**
     * Takes a question; only the newest one counts. A repeated question begins a new count only if the policies have
     * changed. The check comes when the count continues: the newest record that the gate has seen may have changed
     * nothing.
     */
    public void take(Errand errand, Assess question) {
        if (asked == null || !isSame(asked.question(), question)) {
            assessment = null;
        }
        asked = new Asked(errand.commandId(), question);
    }

    /** Returns true if there is something to count. */
    public boolean isBusy() {
        return asked != null && isReady(asked);
    }

    /** Continues the count, and answers when all is counted. */
    public void slice(long nowMs, SweepBudget budget) {
        Asked current = asked;
        if (current == null || !isReady(current) || budget.isSpent()) {
            return;
        }
        Answered known = answered;
        answered = null;
        if (known != null && known.answers(current.question(), view.get().policies(), nowMs)) {
            answer(current, known.finding(), nowMs);
        } else {
            count(current, nowMs, budget);
        }
    }

    private void count(Asked current, long nowMs, SweepBudget budget) {
        Assessment running = assessment;
        if (running == null || running.base() != view.get().policies()) {
            running = Assessment.begin(store, guard, reader, view.get().policies(), current.question(), nowMs);
            assessment = running;
        }
        if (running != null && running.step(budget)) {
            answer(current, running.finding(), nowMs);
            answered = new Answered(current.question(), running.base(), running.finding(), nowMs);
        }
    }

    /** Returns true if the count may continue: streams in the middle of a move would be counted twice or not at all. */
    private boolean isReady(Asked current) {
        PolicyView known = view.get();
        return known.reflectedOffset() >= current.question().reflectedOffset()
                && known.policies().edition().lateChanges()
                        >= current.question().lateChanges()
                && store.movingStreams() == 0;
    }

    private void answer(Asked current, BrakeFinding finding, long nowMs) {
        String body = JsonState.write(finding);
        outbox.assessment(new Errand(current.assessmentId(), Errand.Step.ASSESSED, partition, body), nowMs);
        asked = null;
        assessment = null;
    }
}
