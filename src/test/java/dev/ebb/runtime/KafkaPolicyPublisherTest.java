package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaPolicyPublisherTest {

    private static final RetentionPolicy POLICY =
            RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(3)).build();

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final KafkaPolicyPublisher publisher =
            new KafkaPolicyPublisher(() -> producer, "ebb.policies", new TextWriter());

    @Test
    void shouldSendAllOfACallInOneTransactionAndMarkIt() {
        // when
        long offset = publisher.publish(List.of(POLICY), Set.of(Scope.namespace("old")));

        // then
        assertThat(offset).isEqualTo(1);
        assertThat(producer.commitCount()).isEqualTo(1);
        assertThat(producer.closed()).isTrue();
        List<ProducerRecord<byte[], byte[]>> records = producer.history();
        assertThat(records).extracting(record -> text(record.key())).containsExactly("*", "namespace:old");
        assertThat(records.get(0).value()).isEqualTo("policy *".getBytes(StandardCharsets.UTF_8));
        assertThat(records.get(1).value()).isNull();
        assertThat(records)
                .extracting(record -> header(record, "ebb-apply-count"))
                .containsOnly("2");
        assertThat(records)
                .extracting(record -> header(record, "ebb-apply-id"))
                .hasSize(2)
                .containsOnly(header(records.get(0), "ebb-apply-id"));
    }

    @Test
    void shouldCommitNothingWhenOneRecordIsNotTaken() {
        // given
        producer.sendException = new KafkaException("as the test wants it");

        // then
        assertThatThrownBy(() -> publisher.publish(List.of(POLICY), Set.of())).isInstanceOf(KafkaException.class);
        assertThat(producer.commitCount()).isZero();
        assertThat(producer.closed()).isTrue();
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        return text(record.headers().lastHeader(name).value());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
