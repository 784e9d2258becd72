package dev.ebb.cli.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.lines.EventLines;
import dev.ebb.serde.lines.Line;
import dev.ebb.serde.records.AvroRecords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventUploadTest {

    private static final String TWO_EVENTS =
            "{\"stream\":\"s\u00e9\",\"id\":\"1\"}\nbroken\n{\"stream\":\"s\u00e9\",\"id\":\"1\",\"update\":true,\"status\":\"x\"}\n";

    private final List<Line.Unreadable> faults = new ArrayList<>();

    @Test
    void shouldSendReadableLinesAndReportTheRest() throws IOException {
        // given
        var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        EventUpload upload = upload(producer);

        // when
        upload.send(lines());

        // then
        assertThat(upload.acknowledged()).isEqualTo(2);
        assertThat(upload.unreadableLines()).isEqualTo(1);
        assertThat(faults).extracting(Line.Unreadable::number).containsExactly(2L);
        assertThat(producer.history())
                .extracting(record -> new String(record.key(), UTF_8))
                .containsOnly("s\u00e9");
    }

    /** Ebb keeps what it rejects, so the line is sent; its author has to know. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'stream':'s','id':'1','expiresAt':1830384000} | BAD_TTL, Ebb will reject it: expiresAt 1830384000 is read as"
                        + " 1970-01-22, before 1971; seconds?",
                "{'stream':'s','id':'1','update':true,'completedAt':1830384000} | BAD_TIME, Ebb will reject it: completedAt"
                        + " 1830384000 is read as 1970-01-22, before 1971; seconds?",
                "{'stream':'s','execution':1,'status':'done '} | BAD_NAME, Ebb will reject it: status must not begin or end"
                        + " with a blank",
                "{'stream':'s','id':'1','ttlSeconds':0} | BAD_TTL, Ebb will reject it: ttlSeconds must be at least 1, was 0",
                "{'stream':'/s','id':'1'} | BAD_NAME, Ebb will reject it: stream name must not begin with '/', since its"
                        + " namespace would have no name"
            })
    @Tag("O-22")
    void shouldTellWhichLineEbbWillReject(String line, String said) throws IOException {
        // given
        var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        EventUpload upload = upload(producer);
        String lines = line.replace('\'', '"') + "\n{\"stream\":\"s\",\"id\":\"good\"}\n";

        // when
        upload.send(EventLines.of(new ByteArrayInputStream(lines.getBytes(UTF_8))));

        // then
        assertThat(faults).containsExactly(new Line.Unreadable(1, said));
        assertThat(upload.rejectedLines()).isEqualTo(1);
        assertThat(upload.unreadableLines()).isZero();
        assertThat(producer.history()).hasSize(2);
    }

    @Test
    void shouldReportAnEventThatIsTooBigAndGoOn() throws IOException {
        // given
        var producer = new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public synchronized void flush() {
                errorNext(new RecordTooLargeException("big"));
                super.flush();
            }
        };
        EventUpload upload = upload(producer);

        // when
        upload.send(lines());

        // then
        assertThat(upload.acknowledged()).isEqualTo(1);
        assertThat(faults).extracting(Line.Unreadable::number).containsExactly(2L, 1L);
    }

    @Test
    void shouldFailWhenTheBrokerDoesNotTakeIt() throws IOException {
        // given
        var producer = new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public synchronized void flush() {
                errorNext(new TimeoutException("away"));
                super.flush();
            }
        };
        EventUpload upload = upload(producer);
        EventLines lines = lines();

        // then
        assertThatThrownBy(() -> upload.send(lines))
                .isInstanceOf(KafkaException.class)
                .hasMessage("away");
    }

    @Test
    void shouldSendAndCountLinesBeforeThePlaceWhereAFileBreaksOff() throws IOException {
        // given: the broker acknowledges a record only when it must
        var producer = new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        EventUpload upload = upload(producer);
        InputStream rest = InputStream.nullInputStream();
        rest.close();
        EventLines lines = EventLines.of(
                new SequenceInputStream(new ByteArrayInputStream((TWO_EVENTS + "{\"stream").getBytes(UTF_8)), rest));

        // when
        assertThatThrownBy(() -> upload.send(lines))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("line 4");

        // then
        assertThat(upload.acknowledged()).isEqualTo(2);
        assertThat(producer.history()).hasSize(2);
    }

    private EventUpload upload(MockProducer<byte[], byte[]> producer) {
        AvroRecords records = AvroRecords.of(new InMemorySchemaRegistry());
        records.prepare();
        return new EventUpload(producer, records, "ebb.events", faults::add);
    }

    private static EventLines lines() throws IOException {
        return EventLines.of(new ByteArrayInputStream(TWO_EVENTS.getBytes(UTF_8)));
    }
}
