package dev.ebb.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.RejectedQueries.NotReplayableException;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.runtime.kafka.TopicPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-20")
class KafkaRejectedQueriesTest {

    private final RefusingProducer producer = new RefusingProducer();
    private final KafkaRejectedQueries queries = new KafkaRejectedQueries(
            new TopicReader(
                    () -> {
                        throw new AssertionError("it reads nothing");
                    },
                    Duration.ZERO),
            producer,
            TopicPlan.topics(config()));

    /** A refusal concerns one record only; the broker may well take the next one. */
    @Test
    void shouldTellARecordThatTheBrokerRefusesFromABrokerThatIsAway() {
        producer.refusal = new InvalidTimestampException("it is of the future");
        assertThatThrownBy(() -> queries.replay(record()))
                .isInstanceOf(NotReplayableException.class)
                .hasMessage("the broker refuses record 0-7: it is of the future");

        producer.refusal = new TimeoutException("no answer");
        assertThatThrownBy(() -> queries.replay(record())).isInstanceOf(UnavailableException.class);
    }

    /**
     * A record with its own time would be rejected again, so it is sent as a new one, which is the wish of a replay
     * (O-10).
     */
    @ParameterizedTest
    @CsvSource({"STREAM_DELETED, 1, ", "BAD_TTL, 1, 1", "BAD_TTL, 0, 0", "BAD_TIMESTAMP, -1, "})
    @Tag("O-10")
    void shouldSendARecordThatIsTooOldAsANewOne(String reason, long timestampMs, Long sentMs) {
        producer.refusal = new TimeoutException("no answer");

        assertThatThrownBy(() -> queries.replay(record(reason, timestampMs))).isInstanceOf(UnavailableException.class);

        assertThat(producer.sent.timestamp()).isEqualTo(sentMs);
    }

    private static EbbConfig config() {
        return EbbConfig.load(new ConfigSources(null, Map.of(), Map.of()));
    }

    private static RejectedRecord record() {
        return record("BAD_TTL", 1);
    }

    private static RejectedRecord record(String reason, long timestampMs) {
        return new RejectedRecord(
                new RejectedRecord.Id(0, 7),
                1,
                reason,
                "",
                "ebb.events",
                0,
                1,
                timestampMs,
                null,
                null,
                List.of(),
                null);
    }

    private static final class RefusingProducer extends MockProducer<byte[], byte[]> {

        private RuntimeException refusal = new IllegalStateException();
        private ProducerRecord<byte[], byte[]> sent;

        RefusingProducer() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> outgoing) {
            sent = outgoing;
            return CompletableFuture.failedFuture(refusal);
        }
    }
}
