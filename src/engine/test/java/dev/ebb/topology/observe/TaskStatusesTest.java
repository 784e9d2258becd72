package dev.ebb.topology.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TaskStatusesTest {

    private final TaskStatuses tasks = new TaskStatuses();

    @Test
    @Tag("B-5")
    void shouldTellTheTimesOfTheSweepsOfATaskThatRests() {
        // given
        tasks.taskStatus(status(2));

        // when
        tasks.taskRested(2, 4000, 4500, 5000);
        tasks.taskRested(1, 1, 1, 1);
        tasks.taskRested(99, 1, 1, 1);

        // then
        assertThat(tasks.all()).containsExactly(status(2).after(4000, 4500, 5000));
        assertThat(tasks.of(2)).contains(status(2).after(4000, 4500, 5000));

        // when
        tasks.taskClosed(2);
        tasks.taskRested(2, 6000, 6000, 7000);

        // then
        assertThat(tasks.of(2)).isEmpty();
        assertThat(tasks.all()).isEmpty();
    }

    private static TaskStatus status(int partition) {
        return new TaskStatus(
                partition,
                TaskStatus.SweepState.IDLE,
                1000,
                2000,
                3000,
                5,
                5,
                0,
                6,
                List.of(),
                Map.of(),
                null,
                TaskStatus.Stale.NONE,
                Map.of(),
                0,
                0,
                List.of(),
                Map.of(),
                TaskStatus.Crowd.NONE);
    }
}
