package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader ends with the task for which it reads. */
@Tag("T-4")
@Timeout(60)
class PartitionReadingTest {

    private static final TopicPartition PARTITION = new TopicPartition("ebb.trash", 0);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch woken = new CountDownLatch(1);
    private final MockConsumer<byte[], byte[]> log = new MockConsumer<>("earliest") {
        @Override
        public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
            asked.countDown();
            try {
                woken.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            throw new WakeupException();
        }

        @Override
        public void wakeup() {
            woken.countDown();
        }
    };
    private final PartitionReading reading = new PartitionReading("test", PARTITION) {
        @Override
        protected void read(Consumer<byte[], byte[]> consumer) {
            end(consumer);
        }
    };

    @Test
    void shouldEndWhereItWaitsForABrokerThatIsAway() throws InterruptedException {
        // given
        Thread reader = new Thread(() -> reading.run(() -> log));
        reader.start();
        asked.await();

        // when
        reading.close();
        reader.join();

        // then
        assertThat(log.closed()).isTrue();
        assertThat(reading.problem()).isNull();
    }

    @Test
    void shouldNotBeginOnceItIsClosed() {
        reading.close();

        reading.run(() -> log);

        assertThat(log.closed()).isTrue();
        assertThat(asked.getCount()).isEqualTo(1);
    }

    /** A consumer that is closed must not be woken: its selector may be of another one by then. */
    @Test
    void shouldWakeNoConsumerThatHasEnded() {
        woken.countDown();
        CountDownLatch wakings = new CountDownLatch(1);
        MockConsumer<byte[], byte[]> ended = new MockConsumer<>("earliest") {
            @Override
            public void wakeup() {
                wakings.countDown();
            }
        };
        ended.updateEndOffsets(Map.of(PARTITION, 0L));

        reading.run(() -> ended);
        reading.close();

        assertThat(wakings.getCount()).isEqualTo(1);
    }
}
