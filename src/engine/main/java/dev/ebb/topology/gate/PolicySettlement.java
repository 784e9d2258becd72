package dev.ebb.topology.gate;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.topology.policy.FormerValue;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settlement of the policies of one record or one file: all of them come into force, wait at the brake, or are refused.
 * Not thread-safe.
 */
final class PolicySettlement {

    private final PolicyJudge judge;
    private final GateStore store;
    private final GateOutput output;
    private final PolicyJournal journal;
    private final FormerValues formers;
    private final PolicyBrake brake;
    private Consumer<RetentionSettings> settings = settings -> {};

    PolicySettlement(
            PolicyJudge judge,
            GateStore store,
            GateOutput output,
            PolicyJournal journal,
            FormerValues formers,
            Assessments assessments,
            BuiltInPolicies builtIn) {
        this.judge = judge;
        this.store = store;
        this.output = output;
        this.journal = journal;
        this.formers = formers;
        this.brake = new PolicyBrake(store, builtIn, assessments, judge::judge, this::release, this::refuse);
    }

    /** Lets the listener know of settings that come into force. */
    void tellSettings(Consumer<RetentionSettings> listener) {
        settings = listener;
    }

    /** Returns the brake, which holds back changes that would delete too much. */
    PolicyBrake brake() {
        return brake;
    }

    /** Rejects all of the records if one is bad; otherwise puts them into force unless the brake holds them back. */
    void settle(List<PolicyVerdict> verdicts, String file, long nowMs) {
        if (verdicts.stream().anyMatch(verdict -> verdict.rejection() != null)) {
            rejectAll(verdicts);
        } else {
            settle(change(verdicts, file, nowMs));
        }
        brake.advance(nowMs);
    }

    /** Settles the change. A refused change must not replace one that waits. */
    private void settle(HeldBack change) {
        String overtaken = overtaken(change);
        if (overtaken == null) {
            brake.take(change);
        } else {
            refuse(change, overtaken);
        }
    }

    /**
     * Returns the reason why a planned file cannot come into force: another change has come into force since the file
     * was planned, and the plan does not show what both would delete (T-6). Null if there is none.
     */
    private @Nullable String overtaken(HeldBack change) {
        PolicyEdition inForce = store.edition();
        return change.records().stream()
                .filter(record -> record.isPlannedBefore(inForce))
                .findFirst()
                .map(record -> why(
                        Objects.requireNonNull(EbbHeaders.base(record.input().headers())), inForce))
                .orElse(null);
    }

    private static String why(PolicyEdition base, PolicyEdition inForce) {
        String other = inForce.version() > base.version()
                ? "version " + inForce.version()
                : "an older version that had waited";
        return "its plan was made under version " + base.version() + " of the policies, and " + other
                + " came into force before it; make a new plan";
    }

    /**
     * Returns the change of these records, with the offset of the last one as its version. Of two records of a file for
     * one scope the later one counts, as on the topic.
     */
    private static HeldBack change(List<PolicyVerdict> verdicts, String file, long nowMs) {
        Map<PolicyKey, GateRecord> byKey = new LinkedHashMap<>();
        verdicts.forEach(verdict -> byKey.put(verdict.key(), verdict.record()));
        List<GateRecord> records = List.copyOf(byKey.values());
        String actor = verdicts.stream()
                .map(PolicyVerdict::actor)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
        long version = verdicts.get(verdicts.size() - 1).record().offset();
        return HeldBack.unassessed(version, file, actor, nowMs, records);
    }

    /** Puts a change into force if it is still good: it may have become bad while it waited. */
    private void release(HeldBack change, @Nullable Confirmation confirmation) {
        String overtaken = overtaken(change);
        if (overtaken != null) {
            refuse(change, overtaken);
            return;
        }
        List<PolicyVerdict> verdicts =
                change.records().stream().map(judge::judge).toList();
        if (verdicts.stream().allMatch(PolicyVerdict::isGood)) {
            verdicts.forEach(verdict -> accept(verdict, change, confirmation));
            store.cameIntoForce(change.version());
        } else {
            rejectAll(verdicts);
        }
    }

    private void refuse(HeldBack change, String why) {
        Rejection rejection = new Rejection(RejectReason.BAD_POLICY, why);
        change.records().forEach(record -> output.reject(record, rejection));
    }

    private void rejectAll(List<PolicyVerdict> verdicts) {
        Rejection companion = new Rejection(RejectReason.BAD_POLICY, "another policy of the same file was refused");
        for (PolicyVerdict verdict : verdicts) {
            output.reject(verdict.record(), verdict.rejection() == null ? companion : verdict.rejection());
        }
    }

    private void accept(PolicyVerdict verdict, HeldBack change, @Nullable Confirmation confirmation) {
        List<FormerValue> former = formers.note(verdict, change.version());
        store.accept(verdict.key(), output.accept(verdict, change, confirmation, former));
        journal.accepted(verdict, change.version(), confirmation);
        brake.accepted(verdict.edit());
        if (verdict.settings() != null) {
            settings.accept(verdict.settings());
        }
    }
}
