package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often a task is punctuated, and what becomes of it when it is revived. */
class RetentionProcessorTest {

    private static final byte[] KEY = "s".getBytes(StandardCharsets.UTF_8);

    private final Topics topics = new Topics("ebb.", 1);
    private final TaskFixture task =
            new TaskFixture(topics, 0, new TestRecords(), TopologyFixture.settings(OptionalLong.of(1), 2));

    @Test
    @Tag("A-6")
    void shouldComeOnceASecondWithNothingToDo() {
        // when
        task.process(topics.events(), KEY, event("s", "a").build());
        task.tick(T0 + 1000);

        // then
        assertThat(task.punctuators())
                .extracting(punctuator -> punctuator.getInterval().toMillis())
                .containsExactly(1000L);
    }

    @Test
    @Tag("A-6")
    void shouldComeOftenWhileItSweepsAndLessOftenWhileRecordsWait() {
        // given
        for (int i = 0; i < 7; i++) {
            task.process(topics.events(), KEY, dead(i));
        }

        // when
        task.tick(T0 + 1000);
        long withRecords = busyPeriodMs();
        task.tick(T0 + 1100);
        long alone = busyPeriodMs();
        task.tick(T0 + 1110);
        task.tick(T0 + 1120);

        // then
        assertThat(withRecords).isEqualTo(100);
        assertThat(alone).isEqualTo(10);
        assertThat(task.stored("s")).isEmpty();
        task.tick(T0 + 1130);
        assertThat(task.punctuators()).hasSize(1);
    }

    @Test
    @Tag("I-7")
    void shouldBuildItsMemoryAnewWhenItIsRevived() {
        // given
        task.process(topics.events(), KEY, dead(1));
        task.process(topics.events(), KEY, event("s", "alive").build());

        // when
        task.init();
        task.process(topics.events(), KEY, event("s", "alive").type("again").build());
        task.tick(T0 + 1000);

        // then
        assertThat(task.stored("s")).singleElement().satisfies(stored -> {
            assertThat(stored.event().type()).isEqualTo("again");
            assertThat(stored.storedAt()).isEqualTo(T0);
        });
    }

    private long busyPeriodMs() {
        CapturedPunctuator busy = task.punctuators().get(task.punctuators().size() - 1);
        return busy.getInterval().toMillis();
    }

    private static Event dead(int number) {
        return event("s", "dead" + number).expiresAt(T0 - 1).build();
    }
}
