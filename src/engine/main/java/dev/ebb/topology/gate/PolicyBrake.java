package dev.ebb.topology.gate;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeTally;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.domain.policy.change.PolicyComparison;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds back changes that would delete more at once than the limits allow, until they are confirmed (O-8). They wait in
 * their order; the former policies stay in force. Changes that have nothing to do with each other are assessed
 * together, since each question takes a commit here and in every partition: if all of them delete no more than any one
 * is allowed to, they pass; otherwise half of them are asked about, down to one. Not thread-safe.
 */
final class PolicyBrake {

    private static final long ANSWER_WITHIN_MS = Duration.ofSeconds(10).toMillis();

    private static final int LARGEST_BATCH = 1000;

    /** Most silent partitions that are named: each mark repeats the names for each change that waits. */
    private static final int MOST_NAMED = 10;

    private final HeldChanges held;
    private final Assessments assessments;
    private final Function<GateRecord, PolicyVerdict> judge;
    private final BiConsumer<HeldBack, @Nullable Confirmation> release;
    private final BiConsumer<HeldBack, String> refuse;
    private final AcceptedSet accepted;
    private final AssessedSet assessed;
    private final HeldCounts counts;
    private int batchSize = LARGEST_BATCH;
    private @Nullable Running running;

    /** Number of questions asked, so that no two of one millisecond have the same name. */
    private long questions;

    /** True if the changes that are being assessed may delete more by now than the partitions say. */
    private boolean isOutdated;

    /**
     * @param judge reads the declaration in a record
     * @param release puts records into force that need not wait, with their confirmation if there was one
     * @param refuse sets records aside that cannot be assessed or could only wait for ever, with the reason
     */
    PolicyBrake(
            GateStore store,
            BuiltInPolicies builtIn,
            Assessments assessments,
            Function<GateRecord, PolicyVerdict> judge,
            BiConsumer<HeldBack, @Nullable Confirmation> release,
            BiConsumer<HeldBack, String> refuse) {
        this.held = new HeldChanges(store);
        this.assessments = assessments;
        this.judge = judge;
        this.release = release;
        this.refuse = refuse;
        this.accepted = new AcceptedSet(store, builtIn, judge);
        this.assessed = new AssessedSet(accepted, this::editsOfRunning);
        this.counts = new HeldCounts(
                held, accepted, waiting -> isReadable(waiting) ? edits(waiting).toList() : null);
    }

    /**
     * Assessment that is under way.
     *
     * @param versions versions of the changes
     * @param silent the partitions that did not answer in time; empty as long as none is late
     */
    private record Running(
            Set<Long> versions, String assessmentId, long limit, BrakeTally tally, long askedMs, List<Integer> silent) {

        boolean isOfOne() {
            return versions.size() == 1;
        }
    }

    /**
     * Takes a change, which passes or waits; it takes the place of waiting ones for the same scopes and cases. One that is
     * too big to be assessed is refused.
     */
    void take(HeldBack change) {
        boolean mustBeAssessed = assessments.isOn() && canDeleteMore(change);
        String tooBig = mustBeAssessed ? ChangeSize.problem(assessments, change, held) : null;
        if (tooBig != null) {
            refuse.accept(change, tooBig);
            return;
        }
        supersede(change);
        if (mustBeAssessed) {
            held.add(change);
        } else {
            isOutdated |= running != null && !isOutdated && outdates(change);
            putIntoForce(change, null);
        }
    }

    /** Begins with the next assessment if there is none, and asks again if partitions do not answer. */
    void advance(long nowMs) {
        Running asked = running;
        if (asked == null) {
            begin(nowMs);
        } else if (isOverdue(asked, nowMs)) {
            ask(asked.versions(), asked.limit(), asked.tally().missing(), nowMs);
        }
    }

    /** Returns true if the answers are overdue, also if the clock was ahead when the question was asked. */
    private static boolean isOverdue(Running asked, long nowMs) {
        return Math.abs(nowMs - asked.askedMs()) > ANSWER_WITHIN_MS;
    }

    /** Begins an assessment; a change that would not delete more any longer passes without a question. */
    private void begin(long nowMs) {
        BrakeBatch batch = new BrakeBatch(assessments, batchSize);
        HeldBack next = held.queuedAfter(-1);
        boolean fits = true;
        while (next != null && fits) {
            if (isReadable(next)) {
                if (canDeleteMore(next)) {
                    // The new count of one that waits for a confirmation is told for that one alone.
                    fits = (!next.isOutdated() || batch.isEmpty()) && batch.add(next) && !next.isOutdated();
                } else {
                    letThrough(next, null);
                }
            }
            next = held.queuedAfter(next.version());
        }
        if (!batch.isEmpty()) {
            ask(batch.versions(), assessments.limits().minimumEvents() + 1, List.of(), nowMs);
        }
    }

    /** Takes an answer of a partition; one to a question that is not open any more is ignored. */
    void answered(String assessmentId, int partition, BrakeFinding finding, long nowMs) {
        Running asked = running;
        if (asked == null || !asked.assessmentId().equals(assessmentId)) {
            return;
        }
        asked.tally().add(partition, finding);
        if (!isOutdated) {
            decide(asked, nowMs);
        } else if (asked.tally().missing().isEmpty()) {
            running = null;
        }
        advance(nowMs);
    }

    /**
     * Lets the change of that version through.
     *
     * @param version the version, or the offset of the record of that key, by which former versions of Ebb confirmed
     * @param told the most events that it may be about to delete, by its count; {@link Long#MAX_VALUE} for any number
     * @param by the confirmation
     * @return false if no such change waits with that key, it cannot be read now, or it is counted anew, since it may delete
     *     more than the one who confirms it was told
     */
    boolean confirm(String key, long version, long told, Confirmation by) {
        Optional<HeldBack> confirmed = held.all().stream()
                .filter(change -> change.records().stream()
                        .anyMatch(record -> record.key().equals(key)
                                && (change.version() == version || record.offset() == version)))
                .filter(change -> !change.isOutdated() && isReadable(change) && isWithin(change.finding(), told))
                .findFirst();
        confirmed.ifPresent(change -> letThrough(change, by));
        isOutdated |= confirmed.isPresent();
        return confirmed.isPresent();
    }

    /** A count that was not made to its end may be as large as all that is stored. */
    private static boolean isWithin(@Nullable BrakeFinding finding, long told) {
        return told == Long.MAX_VALUE
                || (finding != null
                        && finding.wouldDelete() <= told
                        && (!finding.isAtLeast() || finding.stored() <= told));
    }

    /** Reason why no change of that version waits with that key for a confirmation, for people. */
    String whyUnconfirmed(String key, long version) {
        return held.find(version)
                .map(change -> "version " + version + " of " + key + " waits still: " + why(change))
                .orElse("no version " + version + " of " + key + " waits for a confirmation");
    }

    /** Number of changes that wait. */
    int waitingChanges() {
        return held.size();
    }

    /**
     * Waiting changes, in their order: all that wait for a confirmation, and of those still to be assessed as many as
     * can be named beside them.
     */
    List<WaitingPolicy> waiting() {
        List<WaitingPolicy> waiting = new ArrayList<>();
        long left = assessments.maxBytes() - held.namingBytes();
        for (HeldBack change : held.all()) {
            left -= change.finding() == null ? ChangeSize.markBytes(change) : 0;
            if (change.finding() == null && left < 0) {
                continue;
            }
            String why = why(change);
            BrakeFinding finding = change.isOutdated() ? null : change.finding();
            for (GateRecord record : change.records()) {
                waiting.add(new WaitingPolicy(
                        record.policyKey(), change.version(), change.actor(), change.sinceMs(), why, finding));
            }
        }
        return waiting;
    }

    /** Notes a change that came into force, for the next comparison. */
    void accepted(PolicyEdit edit) {
        if (assessments.isOn()) {
            accepted.accepted(edit);
        }
    }

    private String why(HeldBack change) {
        if (!change.isQueued()) {
            return "it " + change.finding() + " at once; confirm it, set another one, or withdraw it";
        }
        return change.isOutdated()
                ? "with another change that has come into force it may delete more than was counted, and is counted anew: "
                        + whyUncounted(change)
                : whyUncounted(change);
    }

    private String whyUncounted(HeldBack change) {
        Running asked = running;
        if (asked == null || !asked.versions().contains(change.version())) {
            return "it waits to be assessed";
        }
        return asked.silent().isEmpty() ? "it is being assessed" : silence(asked.silent());
    }

    private static String silence(List<Integer> partitions) {
        String names =
                partitions.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        int others = partitions.size() - MOST_NAMED;
        return (partitions.size() == 1 ? "partition " + names + " does" : "partitions " + names)
                + (others > 0 ? " and " + others + " more" : "")
                + (partitions.size() == 1 ? "" : " do")
                + " not say how much it would delete";
    }

    private void ask(Set<Long> versions, long limit, List<Integer> silent, long nowMs) {
        List<HeldBack> changes = versions.stream()
                .map(version -> held.find(version).orElseThrow())
                .toList();
        String assessmentId = changes.get(0).version() + "-" + nowMs + "-" + ++questions;
        BrakeTally tally = new BrakeTally(assessments.partitions(), assessments.limits());
        running = new Running(versions, assessmentId, limit, tally, nowMs, silent);
        isOutdated = false;
        assessed.begin();
        assessments.ask(new Assessments.Request(assessmentId, limit, BrakeBatch.question(changes)));
    }

    private void decide(Running asked, long nowMs) {
        if (!asked.isOfOne()) {
            decideTogether(asked);
            return;
        }
        HeldBack change = held.find(asked.versions().iterator().next()).orElseThrow();
        switch (asked.tally().verdict()) {
            case INCOMPLETE -> {}
            case ASK_AGAIN -> askWithNextLimit(asked, nowMs);
            case PASS -> {
                if (change.isOutdated()) {
                    // It was said to wait for a confirmation.
                    holdStill(change, asked);
                } else {
                    letThrough(change, null);
                }
                grow();
            }
            case HOLD -> {
                if (change.isOutdated()) {
                    holdStill(change, asked);
                } else {
                    running = null;
                    hold(change.found(asked.tally().sum()));
                }
                grow();
            }
        }
    }

    private void askWithNextLimit(Running asked, long nowMs) {
        long limit = Math.max(asked.tally().nextLimit(), asked.limit() + 1);
        ask(asked.versions(), limit, List.of(), nowMs);
    }

    /** Decides on several changes by the number that may always go: a share would be that of all their scopes. */
    private void decideTogether(Running asked) {
        if (!asked.tally().missing().isEmpty()) {
            return;
        }
        running = null;
        if (asked.tally().sum().wouldDelete() > assessments.limits().minimumEvents()) {
            batchSize = Math.max(1, asked.versions().size() / 2);
            return;
        }
        asked.versions().forEach(version -> letThrough(held.find(version).orElseThrow(), null));
        grow();
    }

    private void grow() {
        batchSize = Math.min(LARGEST_BATCH, 2 * batchSize);
    }

    /** It is named already among those that wait, so nothing can speak against it. */
    private void holdStill(HeldBack change, Running asked) {
        running = null;
        held.found(change.found(asked.tally().sum()));
    }

    private void hold(HeldBack found) {
        String problem = ChangeSize.namingProblem(assessments, found, held);
        if (problem == null) {
            held.found(found);
        } else {
            held.remove(found);
            refuse.accept(found, problem);
        }
    }

    private void letThrough(HeldBack change, @Nullable Confirmation by) {
        forget(change);
        held.remove(change);
        putIntoForce(change, by);
    }

    private void putIntoForce(HeldBack change, @Nullable Confirmation by) {
        counts.outdateWith(edits(change).toList());
        release.accept(change, by);
    }

    private void supersede(HeldBack newer) {
        Set<String> keys = newer.records().stream().map(GateRecord::key).collect(Collectors.toSet());
        held.takeOut(keys).forEach(this::forget);
    }

    /** Returns true if all records can be read: after a start the registry may be away. */
    private boolean isReadable(HeldBack change) {
        return change.records().stream().map(judge).allMatch(verdict -> verdict.waitsFor() == null);
    }

    private void forget(HeldBack change) {
        if (running != null && running.versions().contains(change.version())) {
            running = null;
        }
    }

    /** Returns true if the change can delete more; edits that their author has confirmed do not count. */
    private boolean canDeleteMore(HeldBack change) {
        return canDeleteMore(change, edit -> !edit.isConfirmed());
    }

    /**
     * Returns true if the change can delete more; true if that is not comparable yet: the partitions know what is in
     * force.
     */
    private boolean canDeleteMore(HeldBack change, Predicate<PolicyEdit> counts) {
        List<PolicyEdit> edits = edits(change).filter(counts).toList();
        PolicySet before = accepted.current();
        return before == null || new PolicyComparison(before, before.with(edits)).canDeleteMore();
    }

    /** Returns true if a change that passes deletes more, or has those do so that are being assessed. */
    private boolean outdates(HeldBack change) {
        return canDeleteMore(change, edit -> true)
                || assessed.canDeleteMoreWith(edits(change).toList());
    }

    private List<PolicyEdit> editsOfRunning() {
        Set<Long> versions = running == null ? Set.of() : running.versions();
        return versions.stream()
                .flatMap(version -> edits(held.find(version).orElseThrow()))
                .toList();
    }

    private Stream<PolicyEdit> edits(HeldBack change) {
        return change.records().stream().map(judge).map(PolicyVerdict::edit);
    }
}
