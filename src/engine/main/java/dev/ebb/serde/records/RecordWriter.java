package dev.ebb.serde.records;

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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A writer of values of the domain as bytes for the topics. Once prepared, it never blocks and is thread-safe. */
public interface RecordWriter {

    byte[] event(Event event);

    byte[] update(EventUpdate update);

    byte[] execution(ExecutionUpdate update);

    byte[] policy(RetentionPolicy policy);

    byte[] hold(Hold hold);

    /**
     * Returns the mark of the policy gate.
     *
     * @param reflectedOffset the newest reflected offset of the topic of policies; -1 for none
     * @param unreadable the reason why a policy cannot be read yet; null if every policy was read
     * @param waiting the records that the brake holds back
     */
    byte[] mark(long reflectedOffset, @Nullable String unreadable, List<WaitingPolicy> waiting);

    byte[] audit(AuditRecord audit);

    byte[] report(SweepReport report);

    byte[] command(CommandRequest request);

    byte[] errand(Errand errand);

    byte[] result(CommandResult result);

    byte[] archived(ArchivedEvent event);
}
