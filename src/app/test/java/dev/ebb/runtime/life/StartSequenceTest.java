package dev.ebb.runtime.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StartSequenceTest {

    private final List<String> done = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private final LifecycleObserver observer = new LifecycleObserver() {
        @Override
        public void waiting(String reason) {
            reasons.add(reason);
        }
    };

    @Test
    void shouldTakeTheStepsInOrderAndThenWaitForNothing() throws InterruptedException {
        // given
        StartSequence sequence = sequence(step("one"), step("two"));

        // when
        sequence.run();

        // then
        assertThat(done).containsExactly("one", "two");
        assertThat(sequence.waitingFor()).isNull();
    }

    @Test
    void shouldWaitWithAReasonAndNameItOnce() throws InterruptedException {
        // given
        AtomicReference<StartSequence> running = new AtomicReference<>();
        List<String> seen = new ArrayList<>();
        StartStep patient = new StartStep("the registry", () -> {
            seen.add(running.get().waitingFor());
            if (seen.size() < 3) {
                throw new IllegalStateException("no answer");
            }
        });
        running.set(sequence(patient));

        // when
        running.get().run();

        // then
        assertThat(seen).containsExactly("the registry", "the registry: no answer", "the registry: no answer");
        assertThat(reasons).containsExactly("the registry: no answer");
    }

    @Test
    void shouldGiveUpWhereWaitingDoesNotHelp() {
        // given
        StartSequence sequence = sequence(
                new StartStep("the topics", () -> {
                    throw new RefusedException("topic x does not exist");
                }),
                step("never"));

        // then
        assertThatThrownBy(sequence::run).isInstanceOf(RefusedException.class);
        assertThat(done).isEmpty();
        assertThat(sequence.waitingFor()).isEqualTo("the topics");
    }

    @Test
    void shouldStopWaitingWhenItIsAbandoned() throws InterruptedException {
        // given
        CountDownLatch waiting = new CountDownLatch(1);
        StartSequence sequence = sequence(new StartStep("the registry", () -> {
            waiting.countDown();
            throw new IllegalStateException("no answer");
        }));
        Thread other = new Thread(() -> {
            try {
                waiting.await();
                sequence.abandon();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        // when
        other.start();

        // then
        assertThatThrownBy(sequence::run).isInstanceOf(InterruptedException.class);
        other.join();
    }

    /** Kafka's clients answer an interrupt with an exception of their own, and leave the thread interrupted. */
    @Test
    void shouldTakeNoInterruptedStepForAFailure() {
        // given
        AtomicReference<StartSequence> running = new AtomicReference<>();
        running.set(sequence(new StartStep("the topics", () -> {
            running.get().abandon();
            throw new InterruptException("interrupted");
        })));

        // when
        Throwable end = catchThrowable(() -> running.get().run());

        // then
        assertThat(Thread.interrupted()).as("closing goes on").isFalse();
        assertThat(end).isInstanceOf(InterruptedException.class).hasMessage("abandoned at the topics");
    }

    @Test
    void shouldNotBeginWhenItWasAbandonedBefore() {
        // given
        StartSequence sequence = sequence(step("never"));

        // when
        sequence.abandon();

        // then
        assertThatThrownBy(sequence::run).isInstanceOf(InterruptedException.class);
        assertThat(done).isEmpty();
    }

    private StartStep step(String name) {
        return new StartStep(name, () -> done.add(name));
    }

    private StartSequence sequence(StartStep... steps) {
        return new StartSequence(
                List.of(steps), e -> e instanceof IllegalStateException, observer, Duration.ofMillis(1));
    }
}
