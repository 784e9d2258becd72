package dev.ebb.runtime.unpacking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R-12")
class OtherConsumerTest {

    /** A queue of another name stands for a version of Kafka that has renamed it. */
    @ParameterizedTest
    @CsvSource({
        "classic, completedFetches, true",
        "consumer, completedFetches, true",
        "classic, renamed, false",
        "consumer, renamed, false"
    })
    void shouldBoundWhatItKnowsAndLeaveOtherConsumersAsTheyAre(String protocol, String queue, boolean isBounded) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "g", "group.protocol", protocol);
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            assertThat(Unpacking.bound(consumer, 1000, queue)).isEqualTo(isBounded);
            assertThat(consumer.assignment()).isEmpty();
        }
    }
}
