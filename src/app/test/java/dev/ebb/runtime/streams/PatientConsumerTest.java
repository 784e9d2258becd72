package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No broker answers, so a poll waits as long as it may. */
@Tag("A-6")
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class PatientConsumerTest {

    private static final Duration ASKED = Duration.ofMillis(1);

    private final Patient consumer = new Patient();

    @AfterEach
    void close() {
        consumer.close();
    }

    @RepeatedTest(20)
    void shouldEndItsWaitAndWaitNoMoreWhenItIsHurried() {
        // given
        consumer.onWait = () -> {
            var unused = CompletableFuture.runAsync(consumer::hurry);
        };
        assertThat(consumer.poll(ASKED)).isEmpty();

        // then
        consumer.onWait = () -> {};
        assertThatCode(() -> consumer.poll(ASKED)).doesNotThrowAnyException();
    }

    @Test
    void shouldNotBeginToWaitAfterItWasHurried() {
        // when
        consumer.hurry();

        // then
        assertThat(consumer.poll(ASKED)).isEmpty();
        assertThatCode(() -> consumer.poll(ASKED)).doesNotThrowAnyException();
    }

    @RepeatedTest(20)
    void shouldEndItsRestAndRestNoMoreWhenItIsHurried() {
        // given
        var hurried = CompletableFuture.runAsync(consumer::hurry);

        // then
        consumer.rest(Duration.ofHours(1));
        consumer.rest(Duration.ofHours(1));
        assertThat(hurried).succeedsWithin(ASKED.multipliedBy(10_000));
    }

    @Test
    void shouldEndItsRestWhenItIsInterrupted() {
        // when
        Thread.currentThread().interrupt();
        consumer.rest(Duration.ofHours(1));

        // then
        assertThat(Thread.interrupted()).isTrue();
    }

    private static final class Patient extends PatientConsumer {

        private Runnable onWait = () -> {};

        Patient() {
            super(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1"), new RecordLimits(1 << 20));
            assign(List.of(new TopicPartition("events", 0)));
        }

        @Override
        Duration waitFor(Duration asked) {
            onWait.run();
            return Duration.ofHours(1);
        }
    }
}
