package dev.ebb.topology;

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
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.DecodedResult;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.serde.text.SourceJson;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Records as numbers of objects in memory: as quick as can be, with a switch for a registry that is away. A value that is
 * a {@link Decoded} or a {@link DecodedPolicy} is what reading it gives; one that is an exception is thrown.
 */
public class TestRecords implements RecordReader, RecordWriter {

    final List<String> askedAgain = new ArrayList<>();

    /** Number of times that records of each schema were read. */
    public final Map<String, Integer> reads = new HashMap<>();

    public int pendingReads;

    /** True if no audit record of deletes can be written. */
    boolean failsToAudit;

    private final List<Object> objects = new ArrayList<>();
    private final @Nullable AvroRecords scales;
    private final Map<String, Wait> awaited = new HashMap<>();
    private boolean isRegistryDown;

    public TestRecords() {
        this.scales = null;
    }

    private TestRecords(AvroRecords scales) {
        this.scales = scales;
    }

    /** A record whose schema may be {@link #awaited}. */
    private record OfSchema(String schema, Object object) {}

    /** Each record is as big as it really is, where its size is what matters. */
    static TestRecords weighed() {
        return new TestRecords(InMemorySchemaRegistry.preparedRecords());
    }

    public void registryDown(boolean isDown) {
        isRegistryDown = isDown;
    }

    @Override
    public @Nullable Wait stillWaits(Wait wait) {
        return isRegistryDown ? wait : awaited.get(wait.what());
    }

    @Override
    public void askAgain(Wait wait) {
        askedAgain.add(wait.what());
    }

    /** From now on records with that schema wait for it. */
    public void awaited(Wait wait) {
        awaited.put(wait.what(), wait);
    }

    /** The schema is there. */
    public void arrived(String schema) {
        awaited.remove(schema);
    }

    /** As a record with that schema. */
    public byte[] bytes(String schema, Object object) {
        return bytes(new OfSchema(schema, object));
    }

    public Object object(byte[] bytes) {
        Object object = objects.get(ByteBuffer.wrap(bytes).getInt());
        if (object instanceof RuntimeException e) {
            throw e;
        }
        if (object instanceof Error e) {
            throw e;
        }
        return object;
    }

    public byte[] bytes(Object object) {
        objects.add(object);
        return ByteBuffer.allocate(Integer.BYTES).putInt(objects.size() - 1).array();
    }

    private byte[] bytes(Object object, Function<AvroRecords, byte[]> real) {
        byte[] bytes = bytes(object);
        return scales == null ? bytes : Arrays.copyOf(bytes, real.apply(scales).length);
    }

    private boolean isOurs(byte @Nullable [] value) {
        return value != null && (scales == null ? value.length == Integer.BYTES : value.length >= Integer.BYTES);
    }

    @Override
    public Decoded read(String topic, Headers headers, byte @Nullable [] value) {
        if (isRegistryDown) {
            return new Decoded.Pending(Wait.of("schema 1"));
        }
        if (!isOurs(value)) {
            return new Decoded.Bad(new Rejection(RejectReason.UNDECODABLE, "not ours"));
        }
        Object object = object(value);
        if (object instanceof OfSchema of) {
            reads.merge(of.schema(), 1, Integer::sum);
            if (awaited.containsKey(of.schema())) {
                return new Decoded.Pending(awaited.get(of.schema()));
            }
            object = of.object();
        }
        if (object instanceof Decoded decoded) {
            pendingReads++;
            return decoded;
        }
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
        if (isRegistryDown) {
            return new DecodedPolicy.Pending(Wait.of("schema 2"));
        }
        if (PolicyKey.looksLikeSource(key)) {
            return SourceJson.read(value)
                    .source()
                    .<DecodedPolicy>map(DecodedPolicy.OfSource::new)
                    .orElseGet(() -> new DecodedPolicy.Bad(new Rejection(
                            RejectReason.BAD_POLICY,
                            SourceJson.read(value).problems().get(0).toString())));
        }
        Object object = object(value);
        if (object instanceof OfSchema of) {
            if (awaited.containsKey(of.schema())) {
                return new DecodedPolicy.Pending(awaited.get(of.schema()));
            }
            object = of.object();
        }
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
        if (isRegistryDown) {
            return new DecodedCommand.Pending(Wait.of("schema 3"));
        }
        if (!isOurs(value)) {
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
        return bytes(event, avro -> avro.event(event));
    }

    @Override
    public byte[] update(EventUpdate update) {
        return bytes(update, avro -> avro.update(update));
    }

    @Override
    public byte[] execution(ExecutionUpdate update) {
        return bytes(update, avro -> avro.execution(update));
    }

    @Override
    public byte[] policy(RetentionPolicy policy) {
        return bytes(policy, avro -> avro.policy(policy));
    }

    @Override
    public byte[] hold(Hold hold) {
        return bytes(hold, avro -> avro.hold(hold));
    }

    @Override
    public byte[] mark(long reflectedOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) {
        return bytes(
                new DecodedPolicy.Mark(reflectedOffset, unreadable, waiting),
                avro -> avro.mark(reflectedOffset, unreadable, waiting));
    }

    @Override
    public byte[] audit(AuditRecord audit) {
        if (failsToAudit) {
            throw new IllegalStateException("the test says so");
        }
        return bytes(audit, avro -> avro.audit(audit));
    }

    @Override
    public byte[] report(SweepReport report) {
        return bytes(report, avro -> avro.report(report));
    }

    @Override
    public byte[] command(CommandRequest request) {
        return bytes(request, avro -> avro.command(request));
    }

    @Override
    public byte[] errand(Errand errand) {
        return bytes(errand, avro -> avro.errand(errand));
    }

    @Override
    public byte[] result(CommandResult result) {
        return bytes(result, avro -> avro.result(result));
    }

    @Override
    public byte[] archived(ArchivedEvent event) {
        return bytes(event, avro -> avro.archived(event));
    }
}
