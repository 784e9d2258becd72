package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeTally;
import dev.ebb.topology.assess.HourBudget;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The question about some changes that the partitions have to answer, at most one at a time (O-8). Another change that
 * comes into force meanwhile may have these changes delete more than the partitions count. Not thread-safe.
 */
final class OpenQuestion {

    private static final long ANSWER_WITHIN_MS = Duration.ofSeconds(10).toMillis();

    private final HeldChanges held;
    private final Assessments assessments;
    private final HeldEdits edits;
    private final AssessedSet assessed;
    private final HourBudget budget;
    private @Nullable Asked asked;

    /** Number of questions asked, so that no two of one millisecond have the same name. */
    private long questions;

    /** True if the changes that are being assessed may delete more by now than the partitions say. */
    private boolean isOutdated;

    OpenQuestion(HeldChanges held, Assessments assessments, AcceptedSet accepted, HeldEdits edits, HourBudget budget) {
        this.held = held;
        this.budget = budget;
        this.assessments = assessments;
        this.edits = edits;
        this.assessed = new AssessedSet(accepted, this::editsOfAsked);
    }

    /**
     * A question.
     *
     * @param versions versions of the changes
     * @param limit the most events that a partition counts
     * @param tally the answers so far
     * @param askedMs time of the question, epoch milliseconds
     * @param silent the partitions that did not answer in time; empty as long as none is late
     */
    record Asked(
            Set<Long> versions, String assessmentId, long limit, BrakeTally tally, long askedMs, List<Integer> silent) {

        boolean isOfOne() {
            return versions.size() == 1;
        }
    }

    /** Returns the open question; null if none is open. */
    @Nullable
    Asked asked() {
        return asked;
    }

    /** Returns true if a question about that change is open. */
    boolean isAbout(HeldBack change) {
        return asked != null && asked.versions().contains(change.version());
    }

    /** Asks about the changes of these versions, which are held back; an open question is given up. */
    void ask(Set<Long> versions, long limit, long nowMs) {
        ask(versions, limit, List.of(), nowMs);
    }

    /** Asks again if partitions do not answer. */
    void repeat(long nowMs) {
        Asked open = asked;
        if (open != null && isOverdue(open, nowMs)) {
            ask(open.versions(), open.limit(), open.tally().missing(), nowMs);
        }
    }

    /** Returns true if the answers are overdue, also if the clock was ahead when the question was asked. */
    private static boolean isOverdue(Asked open, long nowMs) {
        return Math.abs(nowMs - open.askedMs()) > ANSWER_WITHIN_MS;
    }

    private void ask(Set<Long> versions, long limit, List<Integer> silent, long nowMs) {
        List<HeldBack> changes = versions.stream()
                .map(version -> held.find(version).orElseThrow())
                .toList();
        String assessmentId = changes.get(0).version() + "-" + nowMs + "-" + ++questions;
        BrakeTally tally = new BrakeTally(
                assessments.partitions(), assessments.limits(), namespace -> budget.of(namespace, nowMs));
        asked = new Asked(versions, assessmentId, limit, tally, nowMs, silent);
        isOutdated = false;
        assessed.begin();
        assessments.ask(new Assessments.Request(assessmentId, limit, BrakeBatch.question(changes)));
    }

    /** Takes an answer of a partition; returns the open question, or null if the answer is to another one. */
    @Nullable
    Asked answered(String assessmentId, int partition, BrakeFinding finding) {
        Asked open = asked;
        if (open == null || !open.assessmentId().equals(assessmentId)) {
            return null;
        }
        open.tally().add(partition, finding);
        return open;
    }

    /** Gives up the open question, answered or not. */
    void end() {
        asked = null;
    }

    /** Returns true if the answers may be too small by now, so that the question has to be asked anew. */
    boolean isOutdated() {
        return isOutdated;
    }

    /** Notes that a change has come into force which deletes much. */
    void outdate() {
        isOutdated = true;
    }

    /** Notes a change that is about to come into force, if with it more may be deleted than was asked about. */
    void outdateWith(HeldBack change) {
        isOutdated |= asked != null && !isOutdated && outdates(change);
    }

    private boolean outdates(HeldBack change) {
        return edits.canDeleteMoreAtAll(change) || assessed.canDeleteMoreWith(edits.of(change));
    }

    private List<PolicyEdit> editsOfAsked() {
        Set<Long> versions = asked == null ? Set.of() : asked.versions();
        return versions.stream()
                .flatMap(version -> edits.of(held.find(version).orElseThrow()).stream())
                .toList();
    }
}
