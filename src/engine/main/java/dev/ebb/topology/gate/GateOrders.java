package dev.ebb.topology.gate;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.SignatureRule;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.topology.fault.RecordGuard;
import dev.ebb.topology.parking.DroppedBy;
import dev.ebb.topology.policy.ConfirmedClock;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Orders of operators, which come as records on the topic of policies. Not thread-safe. */
final class GateOrders {

    private final RecordGuard guard;
    private final GateOutput output;
    private final PolicyBrake brake;
    private final UnreadPolicies unread;
    private final ClockGaps clock;
    private final PolicyJournal journal;

    GateOrders(
            RecordGuard guard,
            GateOutput output,
            PolicyBrake brake,
            UnreadPolicies unread,
            ClockGaps clock,
            PolicyJournal journal) {
        this.guard = guard;
        this.output = output;
        this.brake = brake;
        this.unread = unread;
        this.clock = clock;
        this.journal = journal;
    }

    /** Carries out the record if it is an order; returns false if it is a policy or a hold. */
    boolean take(GateRecord record, long nowMs) {
        String key = record.key();
        boolean isOrder = key.startsWith(EbbHeaders.CONFIRM) || key.startsWith(EbbHeaders.DROP);
        String ofNumbers = isOrder ? record.problemOfNumbers() : null;
        if (ofNumbers != null) {
            guard.writing();
            output.reject(record, new Rejection(RejectReason.BAD_POLICY, ofNumbers));
        } else if (key.startsWith(EbbHeaders.CONFIRM)) {
            confirm(record, key.substring(EbbHeaders.CONFIRM.length()), nowMs);
        } else if (key.startsWith(EbbHeaders.DROP)) {
            drop(record, key.substring(EbbHeaders.DROP.length()));
        } else {
            return false;
        }
        return true;
    }

    private void confirm(GateRecord record, String key, long nowMs) {
        long version = EbbHeaders.number(record.input().headers(), EbbHeaders.CONFIRM_VERSION, -1);
        long told = EbbHeaders.number(record.input().headers(), EbbHeaders.CONFIRM_COUNT, Long.MAX_VALUE);
        long records = EbbHeaders.number(record.input().headers(), EbbHeaders.CONFIRM_RECORDS, -1);
        Confirmation by = new Confirmation(
                said(record, EbbHeaders.ACTOR, SignatureRule.MAX_ACTOR),
                said(record, EbbHeaders.REASON, SignatureRule.MAX_REASON));
        guard.writing();
        if (key.equals(PolicyKey.CLOCK.toString())) {
            confirmClock(record, version, told, by);
            return;
        }
        if (record.value() != null || !brake.confirm(key, version, told, records, by)) {
            String detail = brake.whyUnconfirmed(key, version);
            output.reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        }
        brake.advance(nowMs);
    }

    private void confirmClock(GateRecord record, long version, long told, Confirmation by) {
        Optional<ConfirmedClock> confirmed = record.value() == null ? clock.confirm(version, told) : Optional.empty();
        if (confirmed.isPresent()) {
            output.confirmClock(confirmed.get(), version);
            journal.clockConfirmed(record, version, by);
        } else {
            String detail = "no clock of version " + version
                    + " waits for a confirmation, or more would go than was told; list again what waits";
            output.reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        }
    }

    /** Drops an unreadable record: it goes unchanged to where refused records go, so that it can be brought back. */
    private void drop(GateRecord record, String key) {
        guard.writing();
        long version = EbbHeaders.number(record.input().headers(), EbbHeaders.DROP_VERSION, -1);
        List<GateRecord> dropped = record.value() == null ? unread.drop(key, version) : List.of();
        String by = said(record, EbbHeaders.ACTOR, SignatureRule.MAX_ACTOR);
        String why = said(record, EbbHeaders.REASON, SignatureRule.MAX_REASON);
        Rejection rejection = new Rejection(RejectReason.DROPPED, DroppedBy.detail(by, why));
        dropped.forEach(each -> output.reject(each, rejection));
        if (dropped.isEmpty()) {
            String detail = "nothing of " + key + " waits to be read" + (version < 0 ? "" : " in version " + version);
            output.reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        }
    }

    private static String said(GateRecord record, String header, int mostChars) {
        return Shortened.to(mostChars, Objects.requireNonNullElse(record.header(header), ""));
    }
}
