package dev.ebb.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MergeThreadsTest {

    private static final int LOOKS_OF_REST = 20;

    private int looks;
    private int calls;

    @Test
    void shouldWaitUntilTheThreadsHaveRestedSinceTheirLastWork() throws InterruptedException {
        // given work between the third and the fourth look, and then none
        Deque<Long> ticks = new ArrayDeque<>(List.of(5L, 5L, 5L, 6L));
        MergeThreads threads = new MergeThreads(
                () -> {
                    looks++;
                    return ticks.size() > 1 ? ticks.remove() : Objects.requireNonNull(ticks.peek());
                },
                Duration.ZERO);

        // when
        threads.awaitRest(() -> calls++);

        // then
        assertThat(calls).isEqualTo(2);
        assertThat(looks).isEqualTo(4 + LOOKS_OF_REST);
    }
}
