package dev.ebb.topology;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyChange;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.PolicyValidator;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.WaitingPolicy;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.MirrorRepair;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.Decoded;
import dev.ebb.serde.DecodedCommand;
import dev.ebb.serde.DecodedPolicy;
import dev.ebb.serde.DecodedResult;
import dev.ebb.serde.RecordReader;
import dev.ebb.serde.RecordWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Records as numbers of objects in memory: as quick as can be, with a switch for a registry that is away. A value that is
 * a {@link Decoded} or a {@link DecodedPolicy} is what reading it gives.
 */
final class TestRecords implements RecordReader, RecordWriter {

    private final List<Object> objects = new ArrayList<>();
    private boolean isRegistryDown;

    void registryDown(boolean isDown) {
        isRegistryDown = isDown;
    }

    Object object(byte[] bytes) {
        return objects.get(ByteBuffer.wrap(bytes).getInt());
    }

    byte[] bytes(Object object) {
        objects.add(object);
        return ByteBuffer.allocate(Integer.BYTES).putInt(objects.size() - 1).array();
    }

    @Override
    public Decoded read(String topic, Headers headers, byte @Nullable [] value) {
        if (isRegistryDown) {
            return new Decoded.Pending("schema 1");
        }
        if (value == null || value.length != Integer.BYTES) {
            return new Decoded.Bad(new Rejection(RejectReason.UNDECODABLE, "not ours"));
        }
        Object object = object(value);
        if (object instanceof Decoded decoded) {
            return decoded;
        }
        if (object instanceof ExecutionUpdate execution) {
            return new Decoded.OfExecution(execution);
        }
        return object instanceof Event event ? new Decoded.OfEvent(event) : new Decoded.OfUpdate((EventUpdate) object);
    }

    @Override
    public DecodedPolicy readPolicy(String key, byte[] value) {
        if (isRegistryDown) {
            return new DecodedPolicy.Pending("schema 2");
        }
        Object object = object(value);
        if (object instanceof DecodedPolicy decoded) {
            return decoded;
        }
        if (object instanceof Hold hold) {
            return new DecodedPolicy.OfHold(hold);
        }
        RetentionPolicy policy = (RetentionPolicy) object;
        List<PolicyProblem> faults = PolicyValidator.problems(policy).stream()
                .filter(PolicyProblem::isFault)
                .toList();
        return faults.isEmpty()
                ? new DecodedPolicy.Policy(policy, List.of())
                : new DecodedPolicy.Bad(new Rejection(RejectReason.BAD_POLICY, faults.toString()));
    }

    @Override
    public DecodedCommand readCommand(String topic, Headers headers, byte @Nullable [] value) {
        if (isRegistryDown) {
            return new DecodedCommand.Pending("schema 3");
        }
        if (value == null || value.length != Integer.BYTES) {
            return new DecodedCommand.Bad("", "", new Rejection(RejectReason.UNDECODABLE, "not ours"));
        }
        Object object = object(value);
        if (object instanceof Errand errand) {
            return new DecodedCommand.OfErrand(errand);
        }
        return object instanceof DecodedCommand decoded ? decoded : new DecodedCommand.Good((CommandRequest) object);
    }

    @Override
    public DecodedResult readResult(byte[] value) {
        return new DecodedResult.Good((CommandResult) object(value));
    }

    @Override
    public byte[] event(Event event) {
        return bytes(event);
    }

    @Override
    public byte[] update(EventUpdate update) {
        return bytes(update);
    }

    @Override
    public byte[] execution(ExecutionUpdate update) {
        return bytes(update);
    }

    @Override
    public byte[] policy(RetentionPolicy policy) {
        return bytes(policy);
    }

    @Override
    public byte[] hold(Hold hold) {
        return bytes(hold);
    }

    @Override
    public byte[] mark(long sourceOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) {
        return bytes(new DecodedPolicy.Mark(sourceOffset, unreadable, waiting));
    }

    @Override
    public byte[] audit(AuditRecord deletes) {
        return bytes(deletes);
    }

    @Override
    public byte[] audit(MirrorRepair repair) {
        return bytes(repair);
    }

    @Override
    public byte[] audit(PolicyChange change) {
        return bytes(change);
    }

    @Override
    public byte[] report(SweepReport report) {
        return bytes(report);
    }

    @Override
    public byte[] command(CommandRequest request) {
        return bytes(request);
    }

    @Override
    public byte[] errand(Errand errand) {
        return bytes(errand);
    }

    @Override
    public byte[] result(CommandResult result) {
        return bytes(result);
    }

    @Override
    public byte[] archived(ArchivedEvent event) {
        return bytes(event);
    }
}
