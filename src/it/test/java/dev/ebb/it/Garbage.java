package dev.ebb.it;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.records.AvroRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;

/** Records that cannot be used, each with the reason for which it must be rejected (O-20). */
final class Garbage {

    private static final Path SCHEMA = Path.of("schemas/Event.avsc");
    private static final int UNKNOWN_SCHEMA_ID = 987_654;

    private final AvroRecords records;
    private final Schema schema;

    Garbage(AvroRecords records) {
        this.records = records;
        try {
            this.schema = new Schema.Parser().parse(SCHEMA.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One of each kind; {@code stream} is the key that it is sent with. */
    List<Map.Entry<RejectReason, byte[]>> of(String stream, long nowMs) {
        byte[] good = event(Map.of("stream", stream, "id", "garbage"));
        byte[] ofUnknownSchema = good.clone();
        ByteBuffer.wrap(ofUnknownSchema).putInt(1, UNKNOWN_SCHEMA_ID);
        return List.of(
                Map.entry(RejectReason.UNDECODABLE, new byte[] {1, 2, 3}),
                Map.entry(RejectReason.UNDECODABLE, new byte[0]),
                Map.entry(RejectReason.UNDECODABLE, Arrays.copyOf(good, 8)),
                Map.entry(RejectReason.UNKNOWN_SCHEMA, ofUnknownSchema),
                Map.entry(
                        RejectReason.WRONG_TYPE,
                        records.policy(
                                RetentionPolicy.of(Scope.ALL).reason("lost").build())),
                Map.entry(RejectReason.NO_STREAM, event(Map.of("stream", "", "id", "garbage"))),
                Map.entry(RejectReason.NO_ID, event(Map.of("stream", stream, "id", ""))),
                Map.entry(RejectReason.BAD_NAME, event(Map.of("stream", stream, "id", "gar\u0007bage"))),
                Map.entry(RejectReason.BAD_TTL, event(Map.of("stream", stream, "id", "garbage", "ttlSeconds", 0L))),
                Map.entry(
                        RejectReason.BAD_TTL,
                        event(Map.of("stream", stream, "id", "garbage", "ttlSeconds", 5L, "noExpiration", true))),
                Map.entry(RejectReason.BAD_TIME, event(Map.of("stream", stream, "id", "garbage", "occurredAt", -1L))),
                Map.entry(
                        RejectReason.BAD_TIME,
                        event(Map.of("stream", stream, "id", "garbage", "completedAt", nowMs + 7_200_000))),
                Map.entry(
                        RejectReason.BAD_EXECUTION,
                        event(Map.of("stream", stream, "id", "garbage", "execution", -3L))));
    }

    private byte[] event(Map<String, Object> fields) {
        GenericRecordBuilder event = new GenericRecordBuilder(schema);
        fields.forEach(event::set);
        return records.encode(event.build());
    }
}
