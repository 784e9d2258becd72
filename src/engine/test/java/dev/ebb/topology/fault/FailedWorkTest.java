package dev.ebb.topology.fault;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.TaskFixture;
import dev.ebb.topology.TestRecords;
import dev.ebb.topology.TopologyFixture;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class FailedWorkTest {

    private static final Topics TOPICS = new Topics("ebb.", 1);

    private final TaskFixture task =
            new TaskFixture(TOPICS, 0, new TestRecords(), TopologyFixture.settings(OptionalLong.of(1), 10));

    @Test
    void shouldNameTheRecordAndItsStream() {
        // given
        task.process(
                TOPICS.events(),
                "s".getBytes(StandardCharsets.UTF_8),
                event("s", "a").build());
        task.failStores();

        // when
        assertThatThrownBy(() -> task.process(
                        TOPICS.events(),
                        "s".getBytes(StandardCharsets.UTF_8),
                        event("s", "b").build()))
                .satisfies(failure -> {
                    // then: also where Kafka Streams has wrapped it
                    String work = "taking in ebb.events-0 offset 1 of s";
                    assertThat(FailedWork.of(failure)).isEqualTo(work);
                    assertThat(FailedWork.of(new IllegalStateException("in a task", failure)))
                            .isEqualTo(work);
                });
    }

    @Test
    void shouldNameThePartitionOfASliceThatFailed() {
        // given
        task.process(
                TOPICS.events(),
                "s".getBytes(StandardCharsets.UTF_8),
                event("s", "a").build());
        task.failStores();

        // when
        assertThatThrownBy(() -> task.tick(TopologyFixture.T0 + 1))
                .satisfies(failure -> assertThat(FailedWork.of(failure))
                        .isEqualTo("sweeping or carrying out commands in partition 0"));
    }

    @Test
    void shouldNotTakeOneFailureForAnother() {
        // given
        RuntimeException before = new IllegalStateException("this one passed");
        FailedWork.note(before, new InputRecord("t", 1, 2, 3, null, null, new RecordHeaders()));

        // then
        assertThat(FailedWork.of(before)).isEqualTo("taking in t-1 offset 2");
        assertThat(FailedWork.of(new IllegalStateException("this one passed"))).isNull();
    }
}
