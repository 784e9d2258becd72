package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.EventWriter.TooBigException;
import dev.ebb.port.UnavailableException;
import dev.ebb.runtime.TextWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KafkaEventProducerTest {

    private static final StreamName STREAM = new StreamName("orders/eu-1");

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final KafkaEventProducer writer =
            new KafkaEventProducer(producer, "ebb.events", 20, new TextWriter(), () -> 1234);

    @Test
    void shouldSendEventsInOrderUnderTheNameOfTheirStream() {
        // when
        writer.write(
                List.of(event("1", "x"), new ExecutionUpdate(STREAM, 7, "running", null, null, null), event("2", "y")));
        writer.writeUpdate(new EventUpdate(STREAM, new EventId("1"), "read", null, null, null));

        // then
        assertThat(producer.history())
                .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
                .containsExactly("event 1 x", "execution 7", "event 2 y", "update 1");
        assertThat(producer.history())
                .allSatisfy(record -> assertThat(record.key()).asString().isEqualTo("orders/eu-1"))
                .allSatisfy(record -> assertThat(record.topic()).isEqualTo("ebb.events"));
    }

    @Test
    @Tag("O-7")
    void shouldBearTheTimeThatIsTrustedAndNotThatOfTheMachine() {
        // when
        writer.write(List.of(event("1", "x")));

        // then
        assertThat(producer.history()).extracting(ProducerRecord::timestamp).containsExactly(1234L);
    }

    @Test
    void shouldSendNothingWhenOneIsTooBig() {
        // given: the limit is 20 bytes, "event 2 " has 8
        assertThatThrownBy(() -> writer.write(List.of(event("1", "x"), event("2", "x".repeat(13)))))
                .isInstanceOf(TooBigException.class)
                .hasMessageContaining("21 bytes")
                .hasMessageContaining("20");

        // then
        assertThat(producer.history()).isEmpty();
        writer.write(List.of(event("2", "x".repeat(12))));
        assertThat(producer.history()).hasSize(1);
    }

    @Test
    void shouldSayThatTheBrokerDidNotTakeThem() {
        // given
        producer.sendException = new KafkaException("as the test wants it");

        // then
        assertThatThrownBy(() -> writer.write(List.of(event("1", "x"))))
                .isInstanceOf(UnavailableException.class)
                .hasRootCauseMessage("as the test wants it");
    }

    private static Event event(String id, String payload) {
        return new Event(
                STREAM,
                new EventId(id),
                "t",
                null,
                null,
                null,
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                null,
                payload.getBytes(StandardCharsets.UTF_8));
    }
}
