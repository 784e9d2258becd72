package dev.ebb.topology.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-18")
class RunningTasksTest {

    private final RunningTasks tasks = new RunningTasks();

    @Test
    void shouldKnowTheTasksThatWorkFromTheirStartToTheirEnd() {
        // given
        assertThat(tasks.areAny()).isFalse();
        assertThat(tasks.startOf(3)).isEqualTo(RunningTasks.NONE);

        // when
        tasks.taskStarted(3);
        tasks.taskStarted(4);
        long first = tasks.startOf(3);

        // then
        assertThat(first).isNotEqualTo(RunningTasks.NONE).isNotEqualTo(tasks.startOf(4));
        assertThat(tasks.areAny()).isTrue();

        // when it leaves and comes back
        tasks.taskClosed(3);
        assertThat(tasks.startOf(3)).isEqualTo(RunningTasks.NONE);
        tasks.taskStarted(3);

        // then it is another start
        assertThat(tasks.startOf(3)).isNotEqualTo(RunningTasks.NONE).isNotEqualTo(first);
    }
}
