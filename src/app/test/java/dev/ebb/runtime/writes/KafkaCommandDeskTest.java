package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.port.UnavailableException;
import dev.ebb.runtime.TextWriter;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.wire.Topics;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-11")
class KafkaCommandDeskTest {

    private static final CommandRequest REQUEST = new CommandRequest(
            "c-1", "anna", "", false, null, new Command.DeleteStream(new StreamName("orders/eu-1"), false));

    private final LatestResults results = new LatestResults(100);
    private Runnable whileSending = () -> {};
    private final KafkaCommandPublisher publisher = new KafkaCommandPublisher(
            new Broker(), new Topics("ebb.", 4), 1000, new TextWriter(), () -> PolicyEdition.NONE);
    private final SentCommands sent =
            new SentCommands(new CrowdLimits(2, 2), publisher::partitionOf, Clock.systemUTC(), () -> {});
    private final KafkaCommandDesk desk = new KafkaCommandDesk(
            publisher, results, (partition, id) -> Optional.empty(), sent, () -> true, Clock.systemUTC());

    @Test
    void shouldSayThatACommandIsSent() {
        // when
        desk.submit(REQUEST, "");

        // then
        assertThat(desk.find("c-1")).map(CommandResult::state).contains(State.RUNNING);
    }

    /** The partition may answer before the acknowledgement of the broker is here; it answers once. */
    @Test
    void shouldNotForgetAnAnswerThatIsFasterThanTheBroker() {
        // given
        whileSending = () -> results.put(busy(), 0);

        // when
        desk.submit(REQUEST, "");

        // then
        assertThat(desk.find("c-1")).contains(busy());
    }

    @Test
    void shouldSendAgainACommandForWhichThereWasNoRoom() {
        // given
        results.put(busy(), 0);

        // when
        desk.submit(REQUEST, "");

        // then
        assertThat(desk.find("c-1")).map(CommandResult::state).contains(State.RUNNING);
    }

    @Test
    void shouldNotSayThatACommandIsSentIfItIsNot() {
        // given
        whileSending = () -> {
            throw new KafkaException("as the test wants it");
        };

        // then
        assertThatThrownBy(() -> desk.submit(REQUEST, "")).isInstanceOf(UnavailableException.class);
        assertThat(desk.find("c-1")).isEmpty();
    }

    private static CommandResult busy() {
        return new CommandResult("c-1", "delete", State.REFUSED, Refusal.BUSY, "", false, Outcome.nothing(), 1, "");
    }

    private final class Broker extends MockProducer<byte[], byte[]> {

        Broker() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            whileSending.run();
            return super.send(record);
        }
    }
}
