package dev.ebb.simulation;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.PolicyValidator;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.DecodedResult;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.serde.records.SettingsJson;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Records as numbers of objects that lie in one list for all instances. Each instance asks the registry for itself, so each
 * has a codec of its own, which knows some of the schemas.
 */
final class Codec implements RecordReader, RecordWriter {

    /** The schema that every instance knows. */
    static final int KNOWN = 0;

    private static final int BYTES = 2 * Integer.BYTES;

    private final List<Object> objects;
    private final Set<Integer> schemas = new HashSet<>(Set.of(KNOWN));

    Codec() {
        this(new ArrayList<>());
    }

    private Codec(List<Object> objects) {
        this.objects = objects;
    }

    /** The codec of another instance. */
    Codec another() {
        return new Codec(objects);
    }

    /** The registry has answered. */
    void learn(int schema) {
        schemas.add(schema);
    }

    boolean knows(int schema) {
        return schemas.contains(schema);
    }

    Object object(byte[] bytes) {
        return objects.get(ByteBuffer.wrap(bytes).getInt());
    }

    static int schemaOf(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getInt(Integer.BYTES);
    }

    byte[] bytes(Object object) {
        return bytes(object, KNOWN);
    }

    byte[] bytes(Object object, int schema) {
        objects.add(object);
        return ByteBuffer.allocate(BYTES)
                .putInt(objects.size() - 1)
                .putInt(schema)
                .array();
    }

    static boolean isGarbage(byte @Nullable [] value) {
        return value == null || value.length != BYTES;
    }

    private boolean isPending(byte[] value) {
        return !schemas.contains(schemaOf(value));
    }

    private static String what(byte[] value) {
        return "schema " + schemaOf(value);
    }

    @Override
    public Decoded read(String topic, Headers headers, byte @Nullable [] value) {
        if (value == null || isGarbage(value)) {
            return new Decoded.Bad(new Rejection(RejectReason.UNDECODABLE, "not ours"));
        }
        if (isPending(value)) {
            return new Decoded.Pending(Wait.of(what(value)));
        }
        Object object = object(value);
        if (object instanceof ExecutionUpdate execution) {
            return new Decoded.OfExecution(execution);
        }
        return object instanceof Event event ? new Decoded.OfEvent(event) : new Decoded.OfUpdate((EventUpdate) object);
    }

    @Override
    public DecodedPolicy readPolicy(String key, byte[] value) {
        if (key.equals(PolicyKey.SETTINGS.toString())) {
            return SettingsJson.read(value);
        }
        if (isPending(value)) {
            return new DecodedPolicy.Pending(Wait.of(what(value)));
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
                ? new DecodedPolicy.Policy(policy)
                : new DecodedPolicy.Bad(new Rejection(RejectReason.BAD_POLICY, faults.toString()));
    }

    @Override
    public DecodedCommand readCommand(String topic, Headers headers, byte @Nullable [] value) {
        if (value == null || isGarbage(value)) {
            return new DecodedCommand.Bad("", "", new Rejection(RejectReason.UNDECODABLE, "not ours"));
        }
        if (isPending(value)) {
            return new DecodedCommand.Pending(Wait.of(what(value)));
        }
        Object object = object(value);
        return object instanceof Errand errand
                ? new DecodedCommand.OfErrand(errand)
                : new DecodedCommand.Good((CommandRequest) object);
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
    public byte[] mark(long reflectedOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) {
        return bytes(new DecodedPolicy.Mark(reflectedOffset, unreadable, waiting));
    }

    @Override
    public byte[] audit(AuditRecord audit) {
        return bytes(audit);
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
