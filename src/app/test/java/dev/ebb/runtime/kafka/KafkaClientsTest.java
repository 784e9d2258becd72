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

    /** A consumer sends a broker no second fetch while the first one waits at the end of one partition. */
    @Test
    void shouldNotWaitAtTheEndOfAPartitionBeforeItReadsTheNext() {
        assertThat((int) clients.readerSettings().get(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG))
                .isBetween(1, 10);
    }
}
