package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-17")
class KafkaClientsTest {

    private final KafkaClients clients = new KafkaClients(EbbConfig.load(ConfigSources.of(null, Map.of(), Map.of())));

    /** While a question is open that waits at the end of one partition, a consumer asks the same broker for no other. */
    @Test
    void shouldNotWaitAtTheEndOfAPartitionBeforeItReadsTheNext() {
        assertThat((int) clients.readerSettings().get(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG))
                .isBetween(1, 10);
    }
}
