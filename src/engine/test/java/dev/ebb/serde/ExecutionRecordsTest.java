package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.SchemaRegistry;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutionRecordsTest {

    private static final StreamName STREAM = new StreamName("orders/eu-1");

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final AvroRecords records = AvroRecords.of(registry);

    @BeforeEach
    void prepare() {
        records.prepare();
    }

    @AfterEach
    void close() {
        records.close();
    }

    @Test
    @Tag("M-5")
    void shouldReadEveryFieldThatItWrote() {
        // given
        ExecutionUpdate update = new ExecutionUpdate(STREAM, 7, "Running", new StreamName("päräent/1"), 1L, 2L);

        // when / then
        assertThat(read(records.execution(update))).isEqualTo(new Decoded.OfExecution(update));
    }

    @Test
    void shouldLeaveWhatItDoesNotName() {
        // given
        ExecutionUpdate update = new ExecutionUpdate(STREAM, 0, null, null, null, null);

        // when / then
        assertThat(read(records.execution(update))).isEqualTo(new Decoded.OfExecution(update));
    }

    @Test
    void shouldTakeAnEmptyStatusOrParentForOneThatIsNotNamed() {
        // given
        GenericRecord update = record("orders/eu-1");
        update.put("status", "");
        update.put("parent", "");

        // when / then
        assertThat(read(records.encode(update)))
                .isEqualTo(new Decoded.OfExecution(new ExecutionUpdate(STREAM, 3, null, null, null, null)));
    }

    @ParameterizedTest
    @Tag("O-20")
    @CsvSource({"'',, NO_STREAM", "' s',, BAD_NAME", "s, 'p ', BAD_NAME", "s, 'p\u0007', BAD_NAME"})
    void shouldSayWhyItIsBad(String stream, String parent, RejectReason reason) {
        // given
        GenericRecord update = record(stream);
        update.put("parent", parent);

        // when
        Decoded decoded = read(records.encode(update));

        // then
        assertThat(((Decoded.Bad) decoded).rejection().reason()).isEqualTo(reason);
    }

    @Test
    void shouldHaveTheCompatibilityOfEvents() {
        assertThat(registry.compatibility("dev.ebb.ExecutionUpdate"))
                .contains(SchemaRegistry.Compatibility.BACKWARD_TRANSITIVE);
    }

    private Decoded read(byte[] bytes) {
        return records.read("ebb.events", new RecordHeaders(), bytes);
    }

    private static GenericRecord record(String stream) {
        GenericRecord record = new GenericData.Record(EbbSchemas.EXECUTION_UPDATE);
        record.put("stream", stream);
        record.put("execution", 3L);
        return record;
    }
}
