package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.port.EventWriter.TooBigException;
import dev.ebb.port.UnavailableException;
import dev.ebb.runtime.TextWriter;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaCommandPublisherTest {

    private static final int PARTITIONS = 8;
    private static final StreamName STREAM = new StreamName("orders/eu-1");

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private PolicyEdition known = PolicyEdition.NONE;
    private final KafkaCommandPublisher publisher =
            new KafkaCommandPublisher(producer, new Topics("ebb.", PARTITIONS), 20, new TextWriter(), () -> known);

    @Test
    void shouldSendCommandAboutOneStreamToItsPartition() {
        // when
        publisher.send(request("c-1", new Command.DeleteStream(STREAM, false)));

        // then
        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        assertThat(record.topic()).isEqualTo("ebb.commands");
        assertThat(record.key()).asString().isEqualTo("orders/eu-1");
        assertThat(record.value()).asString().isEqualTo("delete c-1");
        assertThat(record.partition()).isEqualTo(StreamPartition.of(STREAM, PARTITIONS));
    }

    /** The instance that leads the command may be behind the one that sends it. */
    @ParameterizedTest
    @CsvSource(
            value = {"-1, none", "0, 0", "7, 7"},
            nullValues = "none")
    @Tag("T-3")
    void shouldSayWhichPoliciesItHasSeen(long offset, String header) {
        // given
        known = new PolicyEdition(offset, 3);

        // when
        publisher.send(request("c-1", purge()));

        // then
        assertThat(EbbHeaders.text(producer.history().get(0).headers(), EbbHeaders.KNOWN_POLICIES))
                .isEqualTo(header);
        assertThat(EbbHeaders.text(producer.history().get(0).headers(), EbbHeaders.LATE_CHANGES))
                .isEqualTo(header == null ? null : "3");
    }

    @Test
    void shouldSpreadCommandsAboutManyStreamsByTheirIds() {
        // when
        for (int i = 0; i < 100; i++) {
            publisher.send(request("c-" + i, purge()));
        }

        // then
        assertThat(producer.history()).extracting(ProducerRecord::partition).contains(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(producer.history().get(42).key()).asString().isEqualTo("c-42");
    }

    @Test
    void shouldRefuseCommandThatIsTooBig() {
        assertThatThrownBy(() -> publisher.send(request("c".repeat(15), purge())))
                .isInstanceOf(TooBigException.class)
                .hasMessageContaining("21 bytes");
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void shouldSayThatTheBrokerDidNotTakeIt() {
        // given
        producer.sendException = new KafkaException("as the test wants it");

        // then
        assertThatThrownBy(() -> publisher.send(request("c-1", purge())))
                .isInstanceOf(UnavailableException.class)
                .hasRootCauseMessage("as the test wants it");
    }

    private static Command purge() {
        return new Command.PurgeStreams(new StreamFilter(null, null, null, 1, true));
    }

    private static CommandRequest request(String id, Command command) {
        return new CommandRequest(id, "anna", "why", false, null, command);
    }
}
