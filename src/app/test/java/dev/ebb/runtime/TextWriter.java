package dev.ebb.runtime;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.records.RecordWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes texts that a test can read. */
public final class TextWriter implements RecordWriter {

    @Override
    public byte[] event(Event event) {
        return utf8("event " + event.id() + " " + new String(event.payload(), StandardCharsets.UTF_8));
    }

    @Override
    public byte[] update(EventUpdate update) {
        return utf8("update " + update.id());
    }

    @Override
    public byte[] execution(ExecutionUpdate update) {
        return utf8("execution " + update.execution());
    }

    @Override
    public byte[] policy(RetentionPolicy policy) {
        return utf8("policy " + policy.scope());
    }

    @Override
    public byte[] hold(Hold hold) {
        return utf8("hold " + hold.caseId());
    }

    @Override
    public byte[] mark(long reflectedOffset, String unreadable, List<WaitingPolicy> waiting) {
        return utf8("mark " + reflectedOffset);
    }

    @Override
    public byte[] audit(AuditRecord audit) {
        return utf8("audit " + audit.auditId());
    }

    @Override
    public byte[] report(SweepReport report) {
        return utf8("report " + report.sweepId());
    }

    @Override
    public byte[] command(CommandRequest request) {
        return utf8(request.command().verb() + " " + request.commandId());
    }

    @Override
    public byte[] errand(Errand errand) {
        return utf8(errand.step() + " " + errand.commandId());
    }

    @Override
    public byte[] result(CommandResult result) {
        return utf8(result.state() + " " + result.commandId());
    }

    @Override
    public byte[] archived(ArchivedEvent event) {
        return utf8("archived " + event.event().event().id());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
