package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.Forgotten;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-6")
class ThreadSlicesTest {

    private long nanos;
    private final ThreadSlices slices = new ThreadSlices(100, Duration.ofNanos(1000), () -> nanos);

    @Test
    void shouldGiveAllOfASliceToTheOnlyTask() {
        slices.enter("one");

        assertThat(share("one")).isEqualTo(1000);
    }

    @Test
    void shouldShareASliceAmongTheBusyTasksOfAThread() {
        // given
        slices.enter("one");
        slices.enter("two");

        // when
        long one = share("one");
        long two = share("two");
        slices.leave("two");
        long alone = share("one");

        // then
        assertThat(one).isEqualTo(500);
        assertThat(two).isEqualTo(500);
        assertThat(alone).isEqualTo(1000);
    }

    @Test
    void shouldSayOfAThreadThatItIsBusyWhileATaskOfItIs() {
        StreamThreads.run(thread -> {
            assertThat(BusyThread.isCurrent()).isFalse();
            thread.enter("one");
            thread.enter("one");
            thread.enter("two");
            thread.leave("one");
            thread.leave("one");
            assertThat(BusyThread.isCurrent()).isTrue();
            StreamThreads.run(other -> assertThat(BusyThread.isCurrent()).isFalse());
            thread.leave("two");
            assertThat(BusyThread.isCurrent()).isFalse();
        });
    }

    @Test
    @Tag("B-5")
    void shouldLetTheTasksOfAThreadHaveTheirTurnsTogether() {
        // given
        Duration second = Duration.ofSeconds(1);

        // when
        Instant first = slices.firstTurn(5300, second);
        Instant second300Later = slices.firstTurn(5600, second);
        Instant muchLater = slices.firstTurn(900_000, second);

        // then
        assertThat(first).isEqualTo(Instant.ofEpochMilli(6300));
        assertThat(second300Later).isEqualTo(first);
        assertThat(muchLater).isEqualTo(first);
        StreamThreads.run(other -> assertThat(slices.firstTurn(5600, second)).isEqualTo(Instant.ofEpochMilli(6600)));
    }

    @Test
    @Tag("O-7")
    void shouldNotPutOffTurnsToWhereAClockOnceStood() {
        // given
        Duration second = Duration.ofSeconds(1);
        slices.firstTurn(5000, second);

        // then
        assertThat(slices.firstTurn(5000, second)).isEqualTo(Instant.ofEpochMilli(6000));
        assertThat(slices.firstTurn(4999, second)).isEqualTo(Instant.ofEpochMilli(5999));
    }

    @Test
    void shouldGiveWhatATaskLeavesToTheNext() {
        // given
        slices.enter("one");
        slices.enter("two");

        // when
        take("one", 100);

        // then
        assertThat(share("two")).isEqualTo(900);
    }

    @Test
    void shouldGiveTasksThatWereNotBusyWhatTheOthersHaveLeft() {
        // when
        long first = share("one");
        long second = share("two");
        long nextRound = share("two");

        // then
        assertThat(first).isEqualTo(1000);
        assertThat(second).isZero();
        assertThat(nextRound).isEqualTo(1000);
    }

    @Test
    void shouldNotCountTheTasksOfOtherThreads() throws InterruptedException {
        // given
        Thread other = new Thread(() -> slices.enter("other"));
        other.start();
        other.join();

        // when
        slices.enter("one");

        // then
        assertThat(share("one")).isEqualTo(1000);
    }

    /** The thread has no next round if it gets no task in the place of the one that is closed. */
    @Test
    @Tag("A-8")
    void shouldKeepNothingOfATaskThatIsClosed() throws InterruptedException {
        WeakReference<Object> task = closedTask();

        Forgotten.await(task);
        assertThat(share("two")).isEqualTo(1000);
    }

    private WeakReference<Object> closedTask() {
        Object task = new Object();
        slices.enter(task);
        slices.beginTurn(task, true);
        slices.endTurn();
        slices.forget(task);
        return new WeakReference<>(task);
    }

    /** A thread may live longer than what its tasks shared, as that of tests does. */
    @Test
    @Tag("A-8")
    void shouldNotBeKeptByAThreadWhoseTasksAreClosed() throws InterruptedException {
        WeakReference<ThreadSlices> former = slicesOfAClosedTask();

        Forgotten.await(former);
    }

    private static WeakReference<ThreadSlices> slicesOfAClosedTask() {
        ThreadSlices former = new ThreadSlices(100, Duration.ofNanos(1000));
        former.beginTurn(former, false);
        former.endTurn();
        former.forget(former);
        return new WeakReference<>(former);
    }

    /** The sender of a command waits, and a sweep has time. */
    @Test
    void shouldGiveTheThreadTwiceTheTimeWhileACommandIsAwaited() {
        // given
        slices.enter("one");
        slices.enter("two");
        slices.beginTurn("one", true);
        slices.endTurn();
        take("two", 0);

        // when
        slices.beginTurn("one", true);
        slices.endTurn();
        long withCommand = share("two");
        take("one", 0);
        take("two", 0);
        long without = share("one");

        // then
        assertThat(List.of(withCommand, without)).containsExactly(2000L, 500L);
    }

    @Test
    void shouldLimitTheDeletesOfEachTurn() {
        assertThat(slices.beginTurn("one", false).deletesLeft()).isEqualTo(100);
    }

    /** Time that the task may take; it takes all of it. */
    private long share(String task) {
        SweepBudget budget = slices.beginTurn(task, false);
        long begun = nanos;
        stepUntilTheClockIsRead(budget);
        while (!budget.isSpent()) {
            nanos++;
            stepUntilTheClockIsRead(budget);
        }
        long took = nanos - begun;
        slices.endTurn();
        return took;
    }

    private void take(String task, long time) {
        slices.beginTurn(task, false);
        nanos += time;
        slices.endTurn();
    }

    private static void stepUntilTheClockIsRead(SweepBudget budget) {
        for (int i = 0; i < 8; i++) {
            budget.spendStep();
        }
    }
}
