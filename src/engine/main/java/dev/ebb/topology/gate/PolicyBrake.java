package dev.ebb.topology.gate;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.domain.policy.change.SpentHour;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.topology.assess.HourBudget;
import dev.ebb.topology.gate.OpenQuestion.Asked;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brake on changes that would delete more at once or soon than the limits allow, alone or together with those of the
 * last hour: they are held back until they are confirmed (O-8, T-15). The changes wait in their order; the former policies stay in force. Changes that have no stream in common are
 * assessed together, since each question takes a commit here and in every partition: if together they delete no more
 * than a single one may, they all pass; otherwise the next question is about half of them, down to one. Not
 * thread-safe.
 */
final class PolicyBrake {

    private static final int LARGEST_BATCH = 1000;

    private final HeldChanges held;
    private final Assessments assessments;
    private final BiConsumer<HeldBack, @Nullable Confirmation> release;
    private final BiConsumer<HeldBack, String> refuse;
    private final AcceptedSet accepted;
    private final HeldEdits edits;
    private final HeldCounts counts;
    private final HourBudget budget;
    private final OpenQuestion question;
    private final WaitingPolicies waiting;
    private int batchSize = LARGEST_BATCH;
    private boolean hasSpent;

    /**
     * @param judge reads the declaration in a record
     * @param release puts records into force that need not wait, with their confirmation if there was one
     * @param refuse rejects records that cannot be assessed or could only wait for ever, with the reason
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
        this.release = release;
        this.refuse = refuse;
        this.accepted = new AcceptedSet(store, builtIn, judge);
        this.edits = new HeldEdits(accepted, judge);
        this.counts = new HeldCounts(held, accepted, edits);
        this.budget = new HourBudget(store);
        this.question = new OpenQuestion(held, assessments, accepted, edits, budget);
        this.waiting = new WaitingPolicies(held, assessments, question);
    }

    /**
     * Takes a change, which passes or waits and replaces waiting changes of the same scopes and cases. A change that is
     * too big to be assessed is refused.
     */
    void take(HeldBack change) {
        boolean mustBeAssessed = assessments.isOn() && edits.canDeleteMore(change);
        String tooBig = mustBeAssessed ? ChangeSize.problem(assessments, change, held) : null;
        if (tooBig != null) {
            refuse.accept(change, tooBig);
            return;
        }
        supersede(change);
        if (mustBeAssessed) {
            held.add(change);
        } else {
            question.outdateWith(change);
            putIntoForce(change, null);
        }
    }

    private void supersede(HeldBack newer) {
        Set<String> keys = newer.records().stream().map(GateRecord::key).collect(Collectors.toSet());
        for (HeldBack replaced : held.takeOut(keys)) {
            forget(replaced);
            if (replaced.isPlanned()) {
                held.find(replaced.version()).ifPresent(this::refuseRest);
            }
        }
    }

    /** Nobody knows what the rest of a planned file deletes without the part that another change has replaced (T-6). */
    private void refuseRest(HeldBack rest) {
        held.remove(rest);
        refuse.accept(
                rest,
                "another change has replaced a part of its file, and its plan was for all of it; make a new plan");
    }

    /** Begins with the next assessment if there is none, and asks again if partitions do not answer. */
    void advance(long nowMs) {
        if (question.asked() == null) {
            begin(nowMs);
        } else {
            question.repeat(nowMs);
        }
    }

    /** Begins an assessment; a new change that would not delete more than others passes without a question. */
    private void begin(long nowMs) {
        BrakeBatch batch = new BrakeBatch(assessments, batchSize);
        HeldBack next = held.queuedAfter(-1);
        boolean fits = true;
        while (next != null && fits) {
            if (edits.areReadable(next)) {
                if (edits.canDeleteMore(next)) {
                    // The new count of one that waits for a confirmation is told for that one alone.
                    fits = (!next.isOutdated() || batch.isEmpty()) && batch.add(next) && !next.isOutdated();
                } else if (next.isOutdated()) {
                    // It was announced as waiting, and the change that deletes as much may be taken back.
                    held.found(next.found(Objects.requireNonNull(next.finding())));
                } else {
                    letThrough(next, null);
                }
            }
            next = held.queuedAfter(next.version());
        }
        if (!batch.isEmpty()) {
            question.ask(batch.versions(), assessments.limits().minimumEvents() + 1, nowMs);
        }
    }

    /** Takes an answer of a partition; the answer to a question that is no longer open is ignored. */
    void answered(String assessmentId, int partition, BrakeFinding finding, long nowMs) {
        Asked asked = question.answered(assessmentId, partition, finding);
        if (asked == null) {
            return;
        }
        if (!question.isOutdated()) {
            decide(asked, nowMs);
        } else if (asked.tally().missing().isEmpty()) {
            question.end();
        }
        advance(nowMs);
    }

    /**
     * Lets the change of that version through.
     *
     * @param version the version of the change
     * @param told the largest number of events that the change may delete by its count; {@link Long#MAX_VALUE} for any
     * @param records the number of records that the confirmer saw; negative for all of the file: what another change
     *     has left of one may delete more without the part that is gone
     * @param by the confirmation
     * @return false if no such change waits with that key, it cannot be read now, it has other records, or it is being
     *     recounted, since it may delete more than its confirmer was told
     */
    boolean confirm(String key, long version, long told, long records, Confirmation by) {
        Optional<HeldBack> confirmed = held.all().stream()
                .filter(change -> change.isNamed(key, version))
                .filter(change -> change.records().size() == (records < 0 ? change.recordsOfFile() : records))
                .filter(change -> !change.isOutdated() && edits.areReadable(change) && change.isWithin(told))
                .findFirst();
        confirmed.ifPresent(change -> {
            letThrough(change, by);
            question.outdate();
        });
        return confirmed.isPresent();
    }

    /** Refuses the waiting changes of that key, if there are any. */
    void withdraw(PolicyKey key, String why) {
        for (HeldBack withdrawn : held.takeOut(Set.of(key.toString()))) {
            forget(withdrawn);
            refuse.accept(withdrawn, why);
        }
    }

    /** Returns true if a change that would set that value waits. */
    boolean holds(PolicyKey key, byte[] value) {
        return held.all().stream()
                .flatMap(change -> change.records().stream())
                .anyMatch(record -> record.key().equals(key.toString()) && Arrays.equals(record.value(), value));
    }

    /** Reason why no change of that version waits with that key for a confirmation, for people. */
    String whyUnconfirmed(String key, long version) {
        return waiting.whyUnconfirmed(key, version);
    }

    /** Returns the number of waiting changes. */
    int waitingChanges() {
        return held.size();
    }

    /** Returns the waiting changes, see {@link WaitingPolicies#list}. */
    List<WaitingPolicy> waiting() {
        return waiting.list();
    }

    /** Notes a change that came into force, for the next comparison. */
    void accepted(PolicyEdit edit) {
        if (assessments.isOn()) {
            accepted.accepted(edit);
        }
    }

    private void decide(Asked asked, long nowMs) {
        if (!asked.isOfOne()) {
            decideTogether(asked, nowMs);
            return;
        }
        HeldBack change = held.find(asked.versions().iterator().next()).orElseThrow();
        switch (asked.tally().verdict()) {
            case INCOMPLETE -> {}
            case ASK_AGAIN -> askWithNextLimit(asked, nowMs);
            case PASS -> {
                if (change.isOutdated()) {
                    // This change was announced as waiting for a confirmation.
                    holdStill(change, asked);
                } else {
                    spend(asked.tally().sum(), nowMs);
                    letThrough(change, null);
                }
                grow();
            }
            case HOLD -> {
                if (change.isOutdated()) {
                    holdStill(change, asked);
                } else {
                    question.end();
                    hold(change.found(asked.tally().finding()));
                }
                grow();
            }
        }
    }

    private void askWithNextLimit(Asked asked, long nowMs) {
        long limit = Math.max(asked.tally().nextLimit(), asked.limit() + 1);
        question.ask(asked.versions(), limit, nowMs);
    }

    /** Decides on several changes by the number that may always go: a share would be that of all their scopes. */
    private void decideTogether(Asked asked, long nowMs) {
        if (!asked.tally().missing().isEmpty()) {
            return;
        }
        question.end();
        BrakeFinding sum = asked.tally().sum();
        boolean isTooMuch = sum.wouldDelete() > assessments.limits().minimumEvents()
                || asked.tally().isBeyondInNamespace();
        if (isTooMuch) {
            batchSize = Math.max(1, asked.versions().size() / 2);
            return;
        }
        spend(sum, nowMs);
        asked.versions().forEach(version -> letThrough(held.find(version).orElseThrow(), null));
        grow();
    }

    private void spend(BrakeFinding deletes, long nowMs) {
        budget.spend(deletes.namespaces(), nowMs);
        hasSpent |= deletes.wouldDelete() > 0;
    }

    /** Returns the deletes of the last hour if they have grown since the last call; null if they have not. */
    @Nullable
    SpentHour takeSpent(long nowMs) {
        boolean isNew = hasSpent;
        hasSpent = false;
        return isNew ? budget.hour(nowMs) : null;
    }

    private void grow() {
        batchSize = Math.min(LARGEST_BATCH, 2 * batchSize);
    }

    /** It is named already among those that wait, so nothing can speak against it. */
    private void holdStill(HeldBack change, Asked asked) {
        question.end();
        held.found(change.found(asked.tally().finding()));
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
        counts.outdateWith(edits.of(change));
        release.accept(change, by);
    }

    private void forget(HeldBack change) {
        if (question.isAbout(change)) {
            question.end();
        }
    }
}
