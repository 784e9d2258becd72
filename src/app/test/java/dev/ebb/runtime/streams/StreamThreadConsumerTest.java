package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.StreamThreads;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-6")
class StreamThreadConsumerTest {

    private static final Duration POLL = Duration.ofMillis(10);

    @Test
    void shouldWaitForRecordsAsLongAsItIsAsked() {
        StreamThreads.run(
                thread -> assertThat(StreamThreadConsumer.waitFor(POLL)).isEqualTo(POLL));
    }

    @Test
    void shouldHardlyWaitWhileItsThreadHasSomethingElseToDo() {
        StreamThreads.run(thread -> {
            thread.enter("a task");
            assertThat(StreamThreadConsumer.waitFor(POLL)).isEqualTo(Duration.ofMillis(1));
            assertThat(StreamThreadConsumer.waitFor(Duration.ofMillis(2))).isEqualTo(Duration.ofMillis(1));
            assertThat(StreamThreadConsumer.waitFor(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
            assertThat(StreamThreadConsumer.waitFor(Duration.ZERO)).isZero();

            thread.leave("a task");
            assertThat(StreamThreadConsumer.waitFor(POLL)).isEqualTo(POLL);
        });
    }
}
