package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.Deletions;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ebb: the slices of one window, each of which sweeps one partition.
 *
 * @param recounts partitions whose figures have not been recounted since they took the events in: a task recounts them
 *     once, a minute later, in its idle slices, and such a slice is no sweep that finds nothing
 */
record EbbIdle(InputTopic input, EbbApp app, SliceCpu slices, CountDownLatch recounts) implements SlicedIdle {

    static EbbIdle start(InputTopic input) throws InterruptedException {
        int partitions = input.lane().partitions();
        return start(input, Policies.MONTH_FROM_OCCURRED, TopologySettings.IDLE_PERIOD, Map.of(), partitions);
    }

    /**
     * Starts an application that practises the measured work with the same classes, so that the JVM keeps its compiled
     * code.
     */
    static EbbIdle practising(InputTopic input) throws InterruptedException {
        RetentionPolicy policy = Policies.MONTH_FROM_OCCURRED.toBuilder()
                .intervalMs(PRACTICE_PERIOD.toMillis())
                .build();
        return start(input, policy, PRACTICE_PERIOD, Map.of("kafka.poll.ms", "1"), 0);
    }

    private static EbbIdle start(
            InputTopic input, RetentionPolicy policy, Duration idlePeriod, Map<String, String> settings, int awaited)
            throws InterruptedException {
        SliceCpu slices = new SliceCpu();
        CountDownLatch recounts = new CountDownLatch(awaited);
        Deletions observer = new Deletions() {
            @Override
            public void taskStatus(TaskStatus status) {
                super.taskStatus(status);
                slices.ended();
            }

            @Override
            public void taskRested(int partition, long pointMs, long completedMs, long nextMs) {
                super.taskRested(partition, pointMs, completedMs, nextMs);
                slices.ended();
            }

            @Override
            public void figuresRecounted(int partition, List<String> differences) {
                super.figuresRecounted(partition, differences);
                recounts.countDown();
            }
        };
        EbbApp app = EbbApp.start(input.lane(), policy, observer, slices::asked, idlePeriod, settings);
        app.take(input.lastOffsets());
        return new EbbIdle(input, app, slices, recounts);
    }

    @Override
    public Double run() throws InterruptedException {
        if (!recounts.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new VoidRunException("the figures were not counted anew within " + LIMIT.toSeconds() + " s");
        }
        return SlicedIdle.super.run();
    }

    @Override
    public String name() {
        return "ebb";
    }

    @Override
    public void verify() {
        app.requireContents(input.expected());
    }

    @Override
    public void close() {
        app.close();
    }
}
