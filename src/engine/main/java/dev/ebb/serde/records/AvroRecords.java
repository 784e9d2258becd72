package dev.ebb.serde.records;

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
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.json.CloudEvents;
import dev.ebb.serde.json.TopicJson;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.AvroStart;
import dev.ebb.serde.schemas.BackgroundSchemas;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.ReadFailure;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.serde.schemas.RejectedException;
import dev.ebb.serde.schemas.SchemaQuestions;
import dev.ebb.serde.schemas.SchemaRefusedException;
import dev.ebb.serde.schemas.SchemaRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Records as Avro, through one deserializer and one serializer that the settings may replace; without a registry,
 * records as JSON. A value that is a JSON object is read as JSON, whatever the settings say. Thread-safe.
 *
 * <p>Records with older and newer schemas, and with schemas of other authors, are read if their full name, or an alias,
 * is that of one of Ebb's schemas, and their values fit Ebb's fields.
 */
public final class AvroRecords implements RecordReader, ReportReader, ArchiveReader, RecordWriter, AutoCloseable {

    private static final Headers NO_HEADERS = new RecordHeaders();

    private final Deserializer<?> deserializer;
    private final Serializer<Object> serializer;
    private final @Nullable AvroStart start;
    private final RecordTypes types = new RecordTypes();

    /** @param start null if there is no registry to prepare */
    public AvroRecords(Deserializer<?> deserializer, Serializer<Object> serializer, @Nullable AvroStart start) {
        this.deserializer = deserializer;
        this.serializer = serializer;
        this.start = start;
    }

    /**
     * Returns records with these settings; connects to nothing yet.
     *
     * @throws IllegalArgumentException if a class of the settings has the wrong type
     */
    public static AvroRecords of(AvroSettings settings) {
        return AvroClasses.records(settings);
    }

    /** Returns records through Ebb's own classes, with a registry of the caller. */
    public static AvroRecords of(SchemaRegistry registry) {
        return AvroClasses.records(registry, BackgroundSchemas.Patience.DEFAULT);
    }

    /**
     * Registers the schemas that this version writes, and loads them for reading, so that nothing has to wait later;
     * does nothing without a registry. Blocks for at most half a minute if the registry does not answer.
     *
     * @throws RegistryUnavailableException if the registry does not answer in time
     * @throws SchemaRefusedException if the registry refuses a schema
     */
    public void prepare() {
        if (start != null) {
            start.run(serializer, deserializer);
        }
    }

    /** Returns the bytes of a record that the caller made. */
    public byte[] encode(GenericRecord avro) {
        String type = avro.getSchema().getFullName();
        byte[] bytes = serializer.serialize(type, avro);
        if (bytes == null) {
            throw new IllegalStateException("the serializer produces nothing for " + type);
        }
        return bytes;
    }

    @Override
    public Decoded read(String topic, Headers headers, byte @Nullable [] value) {
        return read(RecordOrigin.of(topic), headers, value);
    }

    @Override
    public Decoded read(RecordOrigin origin, Headers headers, byte @Nullable [] value) {
        Supplier<Decoded> reader = () -> types.event(eventRecord(origin, headers, value));
        return read(reader, Decoded.Pending::new, Decoded.Bad::new);
    }

    private IndexedRecord eventRecord(RecordOrigin origin, Headers headers, byte @Nullable [] value) {
        if (CloudEvents.isBinary(headers)) {
            return JsonTypes.cloudEvent(headers, value);
        }
        if (CloudEvents.isBatch(headers)) {
            throw JsonTypes.batch();
        }
        return value != null && TopicJson.isObject(value)
                ? JsonTypes.event(origin, headers, value)
                : RecordTypes.avro(deserializer, origin.topic(), headers, value);
    }

    @Override
    public DecodedPolicy readPolicy(String key, byte[] value) {
        Supplier<DecodedPolicy> reader = () -> TopicJson.isObject(value)
                ? JsonTypes.policy(key, value)
                : types.policy(key, RecordTypes.avro(deserializer, key, NO_HEADERS, value));
        return read(reader, DecodedPolicy.Pending::new, DecodedPolicy.Bad::new);
    }

    @Override
    public DecodedCommand readCommand(String topic, Headers headers, byte @Nullable [] value) {
        return readCommand(RecordOrigin.of(topic), headers, value);
    }

    @Override
    public DecodedCommand readCommand(RecordOrigin origin, Headers headers, byte @Nullable [] value) {
        Function<Rejection, DecodedCommand> bad = rejection -> new DecodedCommand.Bad("", "", rejection);
        Supplier<DecodedCommand> reader = () -> value != null && TopicJson.isObject(value)
                ? JsonTypes.command(origin, headers, value)
                : types.command(RecordTypes.avro(deserializer, origin.topic(), headers, value));
        return read(reader, DecodedCommand.Pending::new, bad);
    }

    @Override
    public DecodedResult readResult(byte[] value) {
        Supplier<DecodedResult> reader = () -> RecordTypes.result(own(EbbSchemas.COMMAND_RESULT, value));
        return read(reader, DecodedResult.Pending::new, DecodedResult.Bad::new);
    }

    @Override
    public @Nullable Wait stillWaits(Wait wait) {
        return deserializer instanceof SchemaQuestions questions ? questions.stillWaits(wait) : null;
    }

    @Override
    public void askAgain(Wait wait) {
        if (deserializer instanceof SchemaQuestions questions) {
            questions.askAgain(wait);
        }
    }

    @Override
    public Optional<AuditRecord> readAudit(byte[] value) {
        return readOwn(EbbSchemas.AUDIT_RECORD, value, BoundRecords.AUDIT::read);
    }

    @Override
    public Optional<SweepReport> readReport(byte[] value) {
        return readOwn(EbbSchemas.SWEEP_REPORT, value, BoundRecords.REPORT::read);
    }

    @Override
    public Optional<ArchivedEvent> readArchived(byte[] value) {
        return readOwn(EbbSchemas.ARCHIVED_EVENT, value, types::archived);
    }

    private <T> Optional<T> readOwn(Schema ours, byte[] value, Function<IndexedRecord, T> decode) {
        Supplier<Optional<T>> reader = () -> {
            IndexedRecord avro = own(ours, value);
            return RecordTypes.isA(ours, avro) ? Optional.of(decode.apply(avro)) : Optional.empty();
        };
        return read(
                reader,
                waitsFor -> {
                    throw new RegistryUnavailableException(waitsFor);
                },
                rejection -> Optional.empty());
    }

    @Override
    public byte[] event(Event event) {
        return encode(EventRecords.record(event));
    }

    @Override
    public byte[] update(EventUpdate update) {
        return encode(EventRecords.record(update));
    }

    @Override
    public byte[] execution(ExecutionUpdate update) {
        return encode(EventRecords.record(update));
    }

    @Override
    public byte[] policy(RetentionPolicy policy) {
        return encode(PolicyRecords.record(policy));
    }

    @Override
    public byte[] hold(Hold hold) {
        return encode(PolicyRecords.record(hold));
    }

    @Override
    public byte[] mark(long reflectedOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) {
        return encode(MarkRecords.MARK.write(new DecodedPolicy.Mark(reflectedOffset, unreadable, waiting)));
    }

    @Override
    public byte[] audit(AuditRecord audit) {
        return encode(BoundRecords.AUDIT.write(audit));
    }

    @Override
    public byte[] report(SweepReport report) {
        return encode(BoundRecords.REPORT.write(report));
    }

    @Override
    public byte[] command(CommandRequest request) {
        return encode(CommandRecords.record(request));
    }

    @Override
    public byte[] errand(Errand errand) {
        return encode(BoundRecords.ERRAND.write(errand));
    }

    @Override
    public byte[] result(CommandResult result) {
        return encode(BoundRecords.RESULT.write(result));
    }

    @Override
    public byte[] archived(ArchivedEvent event) {
        return encode(EventRecords.record(event));
    }

    @Override
    public void close() {
        deserializer.close();
        serializer.close();
    }

    /** Returns a record that only Ebb writes. */
    private IndexedRecord own(Schema ours, byte[] value) {
        return TopicJson.isObject(value)
                ? JsonTypes.own(ours, value)
                : RecordTypes.avro(deserializer, ours.getFullName(), NO_HEADERS, value);
    }

    /** Reads a value. A deserializer of another vendor may throw anything; no exception may end a stream thread. */
    private static <T> T read(Supplier<T> reader, Function<Wait, T> pending, Function<Rejection, T> bad) {
        try {
            return reader.get();
        } catch (RejectedException e) {
            return bad.apply(e.rejection());
        } catch (StackOverflowError e) {
            // A schema may refer to itself, so a record can be nested as deeply as its author likes.
            return bad.apply(new Rejection(RejectReason.UNDECODABLE, "it is nested too deeply"));
        } catch (RuntimeException e) {
            Wait waitsFor = ReadFailure.waitsFor(e);
            return waitsFor == null ? bad.apply(ReadFailure.rejection(e)) : pending.apply(waitsFor);
        }
    }
}
