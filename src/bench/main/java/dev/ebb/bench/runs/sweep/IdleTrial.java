package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.stack.App;
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
 * An application that sweeps by slices of one partition each and finds nothing, in one window; the result is the CPU
 * time of a sweep of all partitions, in microseconds.
 *
 * @param recounts partitions whose figures have not been recounted since they took the events in: a task of Ebb recounts
 *     them once, a minute later, in its idle slices, and such a slice is no sweep that finds nothing
 */
record IdleTrial(String name, InputTopic input, App app, SliceCpu slices, CountDownLatch recounts)
        implements Trial<Double>, AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final Duration WINDOW = Duration.ofSeconds(10);

    /** Time between two slices of a practising application. */
    private static final Duration PRACTICE_PERIOD = Duration.ofMillis(1);

    /** Starts Ebb: each slice sweeps one partition. */
    static IdleTrial ebb(InputTopic input) throws InterruptedException {
        int partitions = input.lane().partitions();
        return ebb(input, Policies.MONTH_FROM_OCCURRED, TopologySettings.IDLE_PERIOD, Map.of(), partitions);
    }

    /**
     * Starts an application that practises the measured work with the same classes, so that the JVM keeps its compiled
     * code.
     */
    static IdleTrial practisingEbb(InputTopic input) throws InterruptedException {
        RetentionPolicy policy = Policies.MONTH_FROM_OCCURRED.toBuilder()
                .intervalMs(PRACTICE_PERIOD.toMillis())
                .build();
        return ebb(input, policy, PRACTICE_PERIOD, Map.of("kafka.poll.ms", "1"), 0);
    }

    private static IdleTrial ebb(
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
        return new IdleTrial(EbbApp.NAME, input, app, slices, recounts);
    }

    /** Starts the store ordered by time: each slice looks at the head of the index of one partition. */
    static IdleTrial index(InputTopic input) throws InterruptedException {
        return index(input, ExpiryIndexApp.start(input.lane()));
    }

    static IdleTrial practisingIndex(InputTopic input) throws InterruptedException {
        return index(input, ExpiryIndexApp.practising(input.lane(), PRACTICE_PERIOD));
    }

    private static IdleTrial index(InputTopic input, ExpiryIndexApp app) throws InterruptedException {
        app.take(input.lastOffsets());
        return new IdleTrial(ExpiryIndexApp.NAME, input, app, app.slices(), new CountDownLatch(0));
    }

    @Override
    public Double run() throws InterruptedException {
        if (!recounts.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new VoidRunException("the figures were not counted anew within " + LIMIT.toSeconds() + " s");
        }
        slices.reset();
        TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis());
        if (slices.slices() < input.lane().partitions()) {
            throw new VoidRunException("there were " + slices.slices() + " sweeps within " + WINDOW);
        }
        return microsPerSweep();
    }

    /** Returns the time of the slices of all partitions, in microseconds. */
    double microsPerSweep() {
        return slices.microsPerSlice() * input.lane().partitions();
    }

    @Override
    public void close() {
        app.close();
    }
}
