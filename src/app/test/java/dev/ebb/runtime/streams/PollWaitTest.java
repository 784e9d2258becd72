package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.StreamThreads;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-6")
class PollWaitTest {

    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final long AWAKE = PollWait.AWAKE.toNanos();
    private static final long BRISK = PollWait.BRISK.toNanos();

    private final PollWait wait = new PollWait(0);

    @Test
    void shouldWaitAsItIsAskedOnAThreadWithoutTasks() {
        StreamThreads.run(thread -> assertThat(wait.of(POLL, 0, AWAKE)).isEqualTo(POLL));
    }

    @Test
    void shouldHardlyWaitWhileItsThreadHasSomethingElseToDo() {
        StreamThreads.run(thread -> {
            thread.enter("a task");
            assertThat(wait.of(POLL, 0, AWAKE)).isEqualTo(SHORTEST);
            assertThat(wait.of(Duration.ofMillis(2), 0, AWAKE)).isEqualTo(SHORTEST);
            assertThat(wait.of(SHORTEST, 0, AWAKE)).isEqualTo(SHORTEST);
            assertThat(wait.of(Duration.ZERO, 0, AWAKE)).isZero();

            thread.leave("a task");
            assertThat(wait.of(POLL, 0, AWAKE - 1)).isEqualTo(POLL);
        });
    }

    @Test
    void shouldWaitLongerWithNothingToDoForAWhile() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);
            assertThat(wait.of(POLL, 0, AWAKE - 1)).isEqualTo(PollWait.LITTLE_TO_DO);
            assertThat(wait.of(POLL, 0, AWAKE)).isEqualTo(PollWait.IDLE);
            assertThat(wait.of(Duration.ZERO, 0, AWAKE)).isZero();
        });
    }

    @Test
    void shouldNotWaitLessThanItIsAskedToWithNothingToDo() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);
            assertThat(wait.of(SECOND, 1, AWAKE)).isEqualTo(SECOND);
        });
    }

    @Test
    void shouldWaitALittleAfterRecords() {
        StreamThreads.run(thread -> {
            // given
            thread.begin(0, SECOND);

            // when
            wait.polled(0, 1, AWAKE);

            // then
            assertThat(wait.of(POLL, 0, 2 * AWAKE - 1)).isEqualTo(PollWait.LITTLE_TO_DO);
            assertThat(wait.of(POLL, 0, 2 * AWAKE)).isEqualTo(PollWait.IDLE);
        });
    }

    @Test
    void shouldWaitUntilItCanCommitAfterTheTurnOfATask() {
        StreamThreads.run(thread -> {
            // given
            thread.begin(0, SECOND);
            assertThat(wait.of(POLL, 0, AWAKE)).isEqualTo(PollWait.IDLE);

            // when
            thread.turn("a task");

            // then
            assertThat(wait.of(POLL, 0, AWAKE)).isEqualTo(PollWait.LITTLE_TO_DO);
            assertThat(wait.of(POLL, 0, 2 * AWAKE - 1)).isEqualTo(PollWait.LITTLE_TO_DO);
            assertThat(wait.of(POLL, 0, 2 * AWAKE)).isEqualTo(PollWait.IDLE);
        });
    }

    @Test
    void shouldBeBackWhenTasksLookForWorkAfterATurn() {
        StreamThreads.run(thread -> {
            // given
            thread.begin(0, SECOND);
            thread.turn("a task");

            // then
            assertThat(wait.of(POLL, 899, AWAKE)).isEqualTo(PollWait.LITTLE_TO_DO);
            assertThat(wait.of(POLL, 900, AWAKE)).isEqualTo(PollWait.LITTLE_TO_DO);
            assertThat(wait.of(POLL, 901, AWAKE)).isEqualTo(Duration.ofMillis(99));
        });
    }

    /** Some of what records ask for is told by timers of its own, such as the answer of the policy gate. */
    @Test
    void shouldWaitALittleAfterRecordsWhateverTasksDo() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);
            thread.turn("a task");
            wait.polled(0, 1, AWAKE);

            assertThat(wait.of(POLL, 0, 2 * AWAKE - 1)).isEqualTo(PollWait.LITTLE_TO_DO);
        });
    }

    @Test
    void shouldBeBackWhenTasksLookForWork() {
        StreamThreads.run(thread -> {
            // given
            thread.begin(500, SECOND);

            // then
            assertThat(wait.of(POLL, 1401, AWAKE)).isEqualTo(Duration.ofMillis(99));
            assertThat(wait.of(POLL, 1499, AWAKE)).isEqualTo(SHORTEST);
            assertThat(wait.of(POLL, 1500, AWAKE)).isEqualTo(PollWait.IDLE);
        });
    }

    @Test
    void shouldLetEventsGatherAfterAFew() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);

            wait.polled(1, 0, AWAKE);
            assertThat(wait.gathering(POLL, 0, AWAKE)).isEqualTo(PollWait.GATHERING);
            assertThat(wait.gathering(Duration.ZERO, 0, AWAKE)).isZero();
            wait.polled(PollWait.FEW - 1, 0, AWAKE);
            assertThat(wait.gathering(POLL, 0, AWAKE)).isEqualTo(PollWait.GATHERING);
            wait.polled(PollWait.FEW, 0, AWAKE);
            assertThat(wait.gathering(POLL, 0, AWAKE)).isEqualTo(PollWait.GATHERING);
            wait.polled(PollWait.FEW + 1, 0, AWAKE);
            assertThat(wait.gathering(POLL, 0, AWAKE)).isZero();
        });
    }

    @Test
    void shouldTakeAnEventAtOnceAfterARest() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);
            wait.polled(1, 0, AWAKE);

            wait.polled(0, 0, AWAKE);

            assertThat(wait.gathering(POLL, 0, AWAKE)).isZero();
        });
    }

    @Test
    void shouldLetNothingGatherForAWhileAfterMany() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);
            wait.polled(PollWait.FEW + 1, 0, AWAKE);
            wait.polled(1, 0, AWAKE);

            assertThat(wait.gathering(POLL, 0, AWAKE + BRISK - 1)).isZero();
            assertThat(wait.gathering(POLL, 0, AWAKE + BRISK)).isEqualTo(PollWait.GATHERING);
        });
    }

    /** The partitions answer each other by further commands; each of them would wait. */
    @Test
    void shouldLetNothingGatherForAWhileAfterACommand() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);
            wait.polled(1, 1, AWAKE);
            wait.polled(1, 0, AWAKE);

            assertThat(wait.gathering(POLL, 0, AWAKE + BRISK - 1)).isZero();
            assertThat(wait.gathering(POLL, 0, AWAKE + BRISK)).isEqualTo(PollWait.GATHERING);
        });
    }

    @Test
    void shouldLetNothingGatherWhileItsThreadHasSomethingElseToDo() {
        StreamThreads.run(thread -> {
            wait.polled(1, 0, AWAKE);
            assertThat(wait.gathering(POLL, 0, AWAKE)).isZero();

            thread.begin(0, SECOND);
            thread.enter("a task");
            assertThat(wait.gathering(POLL, 0, AWAKE)).isZero();

            thread.leave("a task");
            assertThat(wait.gathering(POLL, 0, AWAKE)).isEqualTo(PollWait.GATHERING);
        });
    }

    @Test
    void shouldLetEventsGatherUntilTasksLookForWork() {
        StreamThreads.run(thread -> {
            thread.begin(0, SECOND);
            wait.polled(1, 0, AWAKE);

            assertThat(wait.gathering(POLL, 849, AWAKE)).isEqualTo(PollWait.GATHERING);
            assertThat(wait.gathering(POLL, 850, AWAKE)).isEqualTo(PollWait.GATHERING);
            assertThat(wait.gathering(POLL, 851, AWAKE)).isEqualTo(Duration.ofMillis(149));
        });
    }
}
