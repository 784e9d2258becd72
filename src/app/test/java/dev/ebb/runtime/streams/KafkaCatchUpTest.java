package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.wire.Topics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("O-1")
@Timeout(30)
class KafkaCatchUpTest {

    private static final Topics TOPICS = new Topics("ebb.", 2);

    private final FixedTargets targets = new FixedTargets();
    private final KafkaCatchUp catchUp = new KafkaCatchUp(TOPICS, targets);

    @AfterEach
    void close() throws InterruptedException {
        catchUp.close();
        assertThat(targets.isClosed).isTrue();
    }

    @Test
    void shouldHaveCaughtUpOnceBothTopicsAreTakenIn() {
        // given
        targets.put(TOPICS.events(), 1, 10);
        targets.put(TOPICS.rekey(), 1, 3);
        catchUp.taskStarted(1);
        awaitAnswers(2);

        // then
        assertThat(catchUp.isCaughtUp(1)).isFalse();
        catchUp.processed(TOPICS.events(), 1, 10);
        assertThat(catchUp.isCaughtUp(1)).isFalse();
        catchUp.processed(TOPICS.rekey(), 1, 2);
        assertThat(catchUp.isCaughtUp(1)).isFalse();
        catchUp.processed(TOPICS.rekey(), 1, 3);
        assertThat(catchUp.isCaughtUp(1)).isTrue();
    }

    @Test
    void shouldNotTakeRecordsOfOtherTopicsForInput() {
        // given
        targets.put(TOPICS.events(), 0, 10);
        catchUp.taskStarted(0);
        awaitAnswers(2);

        // when
        catchUp.processed(TOPICS.policies(), 0, 10);
        catchUp.processed(TOPICS.events(), 1, 10);

        // then
        assertThat(catchUp.isCaughtUp(0)).isFalse();
    }

    @Test
    void shouldHaveCaughtUpWhenThereWasNothing() {
        // when
        catchUp.taskStarted(0);

        // then
        await(() -> catchUp.isCaughtUp(0));
        assertThat(catchUp.isCaughtUp(1)).isFalse();
    }

    @Test
    void shouldBeginAnewWhenTheTaskComesBack() {
        // given
        catchUp.taskStarted(0);
        await(() -> catchUp.isCaughtUp(0));

        // when
        targets.put(TOPICS.events(), 0, 5);
        catchUp.taskStarted(0);

        // then
        assertThat(catchUp.isCaughtUp(0)).isFalse();
        catchUp.processed(TOPICS.events(), 0, 5);
        await(() -> catchUp.isCaughtUp(0));
    }

    @Test
    void shouldAskAgainUntilTheBrokerAnswers() {
        // given
        targets.failures.set(2);

        // when
        catchUp.taskStarted(0);

        // then
        await(() -> catchUp.isCaughtUp(0));
        assertThat(targets.failures).hasValueLessThanOrEqualTo(0);
    }

    @Test
    void shouldReturnAtOnceAlthoughTheBrokerDoesNotAnswer() {
        // given
        targets.gate = new CountDownLatch(1);

        // when
        catchUp.start();
        catchUp.taskStarted(0);

        // then
        assertThat(catchUp.isCaughtUp(0)).isFalse();
        assertThat(catchUp.policiesTarget()).isEqualTo(CatchUp.UNKNOWN);
        targets.gate.countDown();
        await(() -> catchUp.isCaughtUp(0));
    }

    @Test
    void shouldKnowTheEndOfTheTopicOfPoliciesAtTheStart() {
        // given
        targets.put(TOPICS.policies(), 0, 7);

        // when
        catchUp.start();

        // then
        await(() -> catchUp.policiesTarget() == 7);
    }

    private void awaitAnswers(int number) {
        await(() -> targets.answers.get() >= number);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    /** Answers from a map unless it is told to fail. */
    private static final class FixedTargets implements InputTargets {

        private final Map<TopicPartition, Long> targets = new ConcurrentHashMap<>();
        private final AtomicInteger failures = new AtomicInteger();
        private final AtomicInteger answers = new AtomicInteger();
        private volatile boolean isClosed;
        private volatile CountDownLatch gate = new CountDownLatch(0);

        void put(String topic, int partition, long target) {
            targets.put(new TopicPartition(topic, partition), target);
        }

        @Override
        public long lastUncommitted(TopicPartition partition) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("as the test wants it");
            }
            answers.incrementAndGet();
            return targets.getOrDefault(partition, NONE);
        }

        @Override
        public void close() {
            isClosed = true;
        }

        @Override
        public long last(TopicPartition partition) {
            return lastUncommitted(partition);
        }
    }
}
