package dev.ebb.runtime.streams;

import dev.ebb.domain.Snapshot;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker, on a thread of its own, for the ends of the topics when a task or the instance starts, and compares
 * them with the input that the tasks have taken in (O-1). Until the broker has answered, no task has caught up.
 */
public final class KafkaCatchUp implements CatchUp, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaCatchUp.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);

    private final Topics topics;
    private final InputTargets targets;
    private final ScheduledExecutorService thread;
    private final AtomicReferenceArray<Progress> byPartition;
    private volatile long policiesTarget = UNKNOWN;
    private volatile Map<String, String> topicIds = Map.of();
    private volatile boolean mayRepeat = true;

    public KafkaCatchUp(Topics topics, InputTargets targets) {
        this.topics = topics;
        this.targets = targets;
        this.byPartition = new AtomicReferenceArray<>(topics.partitions());
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "ebb-catch-up");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /**
     * Sets the ids of the topics and whether their records may be taken in again; called before the instance starts.
     */
    public void know(Map<String, String> newTopicIds, boolean mayComeAgain) {
        topicIds = Snapshot.of(newTopicIds);
        mayRepeat = mayComeAgain;
    }

    /** Begins to ask for the end of the topic of policies; called when the instance starts. */
    public void start() {
        TopicPartition policies = new TopicPartition(topics.policies(), 0);
        ask(() -> targets.last(policies), target -> policiesTarget = target);
    }

    @Override
    public void taskStarted(int partition) {
        Progress progress = new Progress();
        byPartition.set(partition, progress);
        ask(partition, progress, topics.events(), target -> progress.eventsTarget = target);
        ask(partition, progress, topics.rekey(), target -> progress.rekeyTarget = target);
    }

    @Override
    public String topicId(String topic) {
        return topicIds.getOrDefault(topic, "");
    }

    @Override
    public boolean mayRepeat() {
        return mayRepeat;
    }

    @Override
    public void processed(String topic, int partition, long offset) {
        Progress progress = partition < byPartition.length() ? byPartition.get(partition) : null;
        if (progress == null || progress.isDone) {
            return;
        }
        if (topic.equals(topics.events())) {
            progress.eventsSeen = offset;
        } else if (topic.equals(topics.rekey())) {
            progress.rekeySeen = offset;
        }
    }

    @Override
    public boolean isCaughtUp(int partition) {
        Progress progress = byPartition.get(partition);
        if (progress == null) {
            return false;
        }
        if (!progress.isDone
                && progress.eventsSeen >= progress.eventsTarget
                && progress.rekeySeen >= progress.rekeyTarget) {
            progress.isDone = true;
        }
        return progress.isDone;
    }

    @Override
    public long policiesTarget() {
        return policiesTarget;
    }

    @Override
    public void close() throws InterruptedException {
        thread.shutdownNow();
        // Other threads must not use a consumer, not even to close it, before this thread has ended.
        if (thread.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
            targets.close();
        }
    }

    private void ask(int partition, Progress progress, String topic, LongConsumer answer) {
        TopicPartition input = new TopicPartition(topic, partition);
        ask(() -> byPartition.get(partition) == progress ? targets.lastUncommitted(input) : UNKNOWN, answer);
    }

    /**
     * Asks again until there is an answer; a request for a task that has since started again needs no answer from the
     * broker.
     */
    private void ask(LongSupplier question, LongConsumer answer) {
        schedule(
                () -> {
                    try {
                        answer.accept(question.getAsLong());
                    } catch (RuntimeException e) {
                        LOG.atWarn().setCause(e).log("cannot find out the ends of the topics yet; asking again");
                        schedule(() -> ask(question, answer), PAUSE);
                    }
                },
                Duration.ZERO);
    }

    private void schedule(Runnable task, Duration delay) {
        try {
            var unused = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("closed while asking for the ends of the topics");
        }
    }

    /** Progress of one task. The task writes the offsets it has seen, the asking thread writes the targets. */
    private static final class Progress {

        private volatile long eventsTarget = UNKNOWN;
        private volatile long rekeyTarget = UNKNOWN;
        private volatile long eventsSeen = InputTargets.NONE;
        private volatile long rekeySeen = InputTargets.NONE;
        private volatile boolean isDone;
    }
}
