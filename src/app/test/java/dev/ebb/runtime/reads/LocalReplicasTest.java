package dev.ebb.runtime.reads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.store.layout.StoreNames;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-17")
class LocalReplicasTest {

    private final Map<String, Map<Integer, Long>> lags = new HashMap<>();

    @Test
    void shouldTellTheLagOfTheStoreOfAPartition() {
        // given
        LocalReplicas copies = new LocalReplicas(null, () -> lags);
        lags.put(StoreNames.EVENTS, Map.of(0, 3L, 1, 5L));

        // then
        assertThat(copies.lag(1)).hasValue(5);
        assertThat(copies.lag(0)).hasValue(3);
        assertThat(copies.lag(2)).isEmpty();
    }

    @Test
    void shouldAnswerWithoutItWhenTheBrokerDoesNot() {
        // given
        LocalReplicas copies = new LocalReplicas(null, () -> {
            throw new KafkaException("away");
        });

        // then
        assertThat(copies.lag(0)).isEmpty();
    }
}
