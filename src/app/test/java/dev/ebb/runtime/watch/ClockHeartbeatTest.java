package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.policy.Limit;
import dev.ebb.model.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-7")
class ClockHeartbeatTest {

    private static final long T0 = 1_800_000_000_000L;

    private final TestClock clock = new TestClock(T0);
    private final ClockGuard guard = new ClockGuard(Limit.of(600_000), Duration.ofSeconds(5), clock, clock::nanoTime);
    private final BrokerWithATime producer = new BrokerWithATime();
    private final ClockHeartbeat heartbeat =
            new ClockHeartbeat(producer, "ebb.clock", "127.0.0.1:8480", Optional.of("ebb-1"), guard);

    @Test
    void shouldSendOneHeartbeatEachTime() {
        // when
        heartbeat.run();
        clock.advance(5000);
        heartbeat.run();

        // then
        assertThat(producer.history()).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("ebb.clock");
            assertThat(record.key()).asString().isEqualTo("127.0.0.1:8480");
        });
        assertThat(producer.history())
                .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
                .containsExactly("1800000000000", "1800000005000");
    }

    @Test
    void shouldHandTheTimeOfTheAnswerToTheGuard() {
        // given
        producer.brokerMs = T0 - 720_000;

        // when
        heartbeat.run();
        assertThat(guard.differenceMs()).isEmpty();
        producer.completeNext();

        // then
        assertThat(guard.differenceMs()).hasValue(720_000);
        assertThat(guard.problem()).isEqualTo("the clock of this instance is 12m ahead of the broker's");
    }

    @Test
    void shouldDeleteNothingWhenTheTopicGivesBackTheTimeOfTheRecord() {
        // given
        heartbeat.run();
        producer.brokerMs = producer.history().get(0).timestamp();

        // when
        producer.completeNext();

        // then
        assertThat(guard.problem()).endsWith("ahead of the broker's");
    }

    @Test
    void shouldForgetAnAnswerWithoutATime() {
        // given
        producer.brokerMs = -1;

        // when
        heartbeat.run();
        producer.completeNext();

        // then
        assertThat(guard.differenceMs()).isEmpty();
    }

    @Test
    void shouldSayWhyThereIsNoAnswer() {
        // given
        producer.brokerMs = -1;

        // then
        assertThatThrownBy(heartbeat::awaitAnswer)
                .isInstanceOf(TimeoutException.class)
                .hasMessage("no answer from the topic ebb.clock: it gives no time to its records");

        // when
        producer.brokerMs = T0;
        heartbeat.awaitAnswer();

        // then
        assertThat(guard.problem()).isNull();
    }

    @Test
    void shouldForgetAHeartbeatThatIsNotAnswered() {
        // when
        heartbeat.run();
        producer.errorNext(new TimeoutException("as the test wants it"));

        // then
        assertThat(guard.differenceMs()).isEmpty();
    }

    @Test
    void shouldGoOnWhenTheProducerCannotSend() {
        // given
        producer.sendException = new KafkaException("as the test wants it");

        // when
        heartbeat.run();

        // then
        assertThat(guard.problem()).isEqualTo("the broker has not told its time yet");
    }

    /** Adds the broker's time to the answers of the mock, which leaves it out. */
    private static final class BrokerWithATime extends MockProducer<byte[], byte[]> {

        private long brokerMs = T0;

        BrokerWithATime() {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            return super.send(
                    record,
                    (answer, failure) -> callback.onCompletion(failure == null ? withTime(answer) : null, failure));
        }

        private RecordMetadata withTime(RecordMetadata answer) {
            return new RecordMetadata(
                    new TopicPartition(answer.topic(), answer.partition()), answer.offset(), 0, brokerMs, 0, 0);
        }
    }
}
