package dev.ebb.topology;

import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.fault.FailedWork;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The one node that owns the state of a partition; passes records and time to its task. Kafka Streams may initialise
 * the same object again when it revives a task, after the state has been restored; everything in memory is then
 * rebuilt.
 */
final class RetentionProcessor implements Processor<byte[], byte[], Addressed, byte[]> {

    /**
     * Shortest period while records wait. Each punctuation halves the number of records in a poll loop, so punctuations
     * must not come often; and records need more of the thread's time than sweeps do.
     */
    private static final long SHORTEST_PERIOD_WITH_RECORDS_MS = 40;

    private static final int SLICES_WITH_RECORDS = 5;

    /**
     * Longest period while no records wait: slices then disturb no intake, so one follows the other without a pause,
     * and long slices need few turns.
     */
    private static final long LONGEST_PERIOD_ALONE_MS = 10;

    /** Shortest period that Kafka Streams accepts. */
    private static final long SHORTEST_PERIOD_MS = 1;

    private final SharedParts shared;
    private final TopologyParts parts;
    private final TopologySettings settings;
    private final ThreadSlices slices;
    private final RecordLimits limits;
    private final Duration periodWithRecords;
    private final Duration periodAlone;
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable RetentionTask task;
    private @Nullable Cancellable busyPunctuator;

    /** The point of the last sweep that was reported; -1 if there was none. */
    private long toldPointMs = -1;

    private boolean hasToldOfSweep;

    private @Nullable Duration busyPeriod;

    /** Number of records that the tasks of its thread had taken in at its last turn: a turn disturbs all tasks. */
    private long recordsSeen;

    /** Number of polls of its thread, at the last turn, after which no record waited. */
    private long shortPollsSeen;

    RetentionProcessor(SharedParts shared, ThreadSlices slices) {
        this.shared = shared;
        this.parts = shared.parts();
        this.settings = shared.settings();
        this.slices = slices;
        this.limits = settings.limits();
        long sliceMs = settings.sweepSlice().toMillis();
        // A sweep comes at least as often as an idle task looks for work, however long the slices are.
        long mostMs =
                Math.min(SLICES_WITH_RECORDS * sliceMs, settings.idlePeriod().toMillis());
        this.periodWithRecords = Duration.ofMillis(Math.max(mostMs, SHORTEST_PERIOD_WITH_RECORDS_MS));
        this.periodAlone = Duration.ofMillis(Math.max(Math.min(sliceMs, LONGEST_PERIOD_ALONE_MS), SHORTEST_PERIOD_MS));
    }

    @Override
    public void init(ProcessorContext<Addressed, byte[]> newContext) {
        rest();
        endTask();
        context = newContext;
        shortPollsSeen = BusyThread.shortPolls();
        parts.catchUp().taskStarted(newContext.taskId().partition());
        Instant firstTurn = slices.firstTurn(newContext.currentSystemTimeMs(), settings.idlePeriod());
        newContext.schedule(firstTurn, settings.idlePeriod(), PunctuationType.WALL_CLOCK_TIME, this::idleTick);
        parts.observer().taskStarted(newContext.taskId().partition());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        ProcessorContext<Addressed, byte[]> current = context();
        slices.takeRecord();
        InputRecord input = InputRecord.of(record, current.recordMetadata().orElseThrow());
        Rejection tooBig = limits.problem(input);
        if (tooBig != null) {
            task().setAside(input, tooBig);
            return;
        }
        try {
            task().process(input, parts.clock().trusted(current.currentSystemTimeMs()));
        } catch (RuntimeException e) {
            FailedWork.note(e, input);
            throw e;
        }
        // An event makes no work but for sweeps, which have their own rhythm, so the check is not worth its cost.
        if (busyPunctuator == null && !input.topic().equals(shared.topics().events()) && task().isBusy()) {
            startAtOnce(current);
        }
    }

    @Override
    public void close() {
        rest();
        slices.forget(this);
        endTask();
        if (context != null) {
            shared.signal().forget(context.taskId());
            parts.observer().taskClosed(context.taskId().partition());
        }
    }

    private void endTask() {
        if (task != null) {
            task.close();
            task = null;
        }
    }

    private void idleTick(long clockMs) {
        long nowMs = parts.clock().trusted(clockMs);
        if (busyPunctuator == null && task().restsOn(nowMs)) {
            seen();
            return;
        }
        // A busy task has its turns from its own punctuator; two turns at once would be a pause twice as long.
        if (busyPunctuator == null) {
            tick(nowMs);
        }
        tellStatus(nowMs);
    }

    /**
     * Has a turn, and reports the status of the task as soon as its work ends, or a sweep begins or ends, instead of after
     * the next second.
     */
    private void busyTick(long clockMs) {
        long nowMs = parts.clock().trusted(clockMs);
        tick(nowMs);
        boolean isSweeping = task().isSweeping();
        boolean isOver = !isSweeping && task().lastSweepPointMs() != toldPointMs;
        if (busyPunctuator == null || isSweeping != hasToldOfSweep || isOver) {
            tellStatus(nowMs);
        }
    }

    private void tellStatus(long nowMs) {
        toldPointMs = task().lastSweepPointMs();
        hasToldOfSweep = task().isSweeping();
        parts.observer().taskStatus(task().status(nowMs));
    }

    private void tick(long nowMs) {
        SweepBudget budget = slices.beginTurn(this, task().hasCommands());
        try {
            task().slice(nowMs, budget);
        } catch (RuntimeException e) {
            // Half of the work must not be committed: the task fails, returns to its former state, and tries again.
            parts.observer().sweepFailed(context().taskId().partition(), e);
            FailedWork.note(e, context().taskId().partition());
            throw e;
        } finally {
            slices.endTurn();
        }
        adaptPeriod(context(), task().isBusy());
        seen();
    }

    private void seen() {
        recordsSeen = slices.records();
        shortPollsSeen = BusyThread.shortPolls();
    }

    /**
     * Returns true if records wait: some have come since the last turn, and each poll has brought many. Where records
     * come steadily and the thread has time left, slices take that time: a fifth of it would not suffice to sweep as
     * many events as come in.
     */
    private boolean doRecordsWait() {
        return slices.records() != recordsSeen && BusyThread.shortPolls() == shortPollsSeen;
    }

    /** Returns the task, which is built at the first use from the contents of the stores. */
    private RetentionTask task() {
        if (task == null) {
            task = new RetentionTask(shared, context());
        }
        return task;
    }

    private ProcessorContext<Addressed, byte[]> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    /**
     * Begins work that a record has made, without waiting for the next idle punctuation: the sender of the record may
     * be waiting.
     */
    private void startAtOnce(ProcessorContext<Addressed, byte[]> current) {
        recordsSeen++;
        adaptPeriod(current, true);
    }

    private void adaptPeriod(ProcessorContext<Addressed, byte[]> current, boolean isBusy) {
        Duration wanted = doRecordsWait() ? periodWithRecords : periodAlone;
        if (!isBusy) {
            rest();
        } else if (!wanted.equals(busyPeriod)) {
            rest();
            slices.enter(this);
            busyPeriod = wanted;
            busyPunctuator = current.schedule(wanted, PunctuationType.WALL_CLOCK_TIME, this::busyTick);
        }
    }

    private void rest() {
        if (busyPunctuator != null) {
            busyPunctuator.cancel();
            busyPunctuator = null;
            busyPeriod = null;
        }
        slices.leave(this);
    }
}
