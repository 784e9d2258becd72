package dev.ebb.topology.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.TestRecords;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamHealing;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.receipt.TestTree;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.source.SourceTargets;
import dev.ebb.topology.trash.TestBook;
import dev.ebb.topology.trash.TestTerms;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.RecordLimits;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.jspecify.annotations.Nullable;

/** One partition without its task: the work of commands is done by the test, step by step, and looked at. */
public final class WorkFixture {

    public static final int PARTITION = 0;

    /** The partition that asks for work on behalf of a command. */
    public static final int ASKED_BY = 2;

    /** More than any test spends. */
    public static final int ENOUGH = 1_000_000;

    /** All that the index entries of an event need. */
    private static final int DAMAGED_BYTES = 26;

    public final StoreFixture state = new StoreFixture();
    public final Failures failures = new Failures();
    public final List<SweepReport> swept = new ArrayList<>();
    public final List<String> failed = new ArrayList<>();

    /** Reason why sweeps are not allowed; null if they are. */
    @Nullable
    public String sweepProblem;

    /** Policies in force; null as long as they are those of the store. */
    @Nullable
    public PolicySet policies;

    public final CommandContext context;
    public final WorkParts parts;

    private final TestRecords records = new TestRecords();
    private final MockProcessorContext<Addressed, byte[]> kafka =
            new MockProcessorContext<>(new Properties(), new TaskId(0, PARTITION), new File("unused"));

    public WorkFixture() {
        this(1 << 20, 4);
    }

    public WorkFixture(int recordMaxBytes, int partitions) {
        state.schedule = new SweepSchedule(OptionalLong.empty(), this::mustWait);
        Outbox outbox = new Outbox(
                kafka,
                records,
                new MirrorRows(),
                new RecordLimits(recordMaxBytes),
                TestTree.empty(),
                new SourceTargets(),
                TestTerms.NONE,
                TestBook.empty());
        RetentionObserver observer = new Observer();
        StreamGuard guard = new StreamGuard(state.store, state.schedule, observer, failures, PARTITION);
        context = new CommandContext(
                state.store,
                state.schedule,
                outbox,
                observer,
                guard,
                new StreamHealing(state.store, state.schedule, guard, outbox, observer, PARTITION),
                failures,
                this::view,
                () -> sweepProblem,
                () -> {
                    throw new AssertionError("no test asks for the records that wait");
                },
                Copies.NONE,
                TrashSource.NONE,
                BrakeLimits.OFF,
                TopologySettings.UNDO_NOTICE.toMillis(),
                CrowdLimits.DEFAULT,
                PARTITION,
                partitions);
        parts = WorkParts.of(context);
    }

    private PolicyView view() {
        PolicySet inForce = policies == null ? state.policies() : policies;
        return new PolicyView(inForce, inForce.version(), null);
    }

    private boolean mustWait(StreamState stream) {
        return stream.isSuspect() || stream.quarantine() != null;
    }

    /** A budget that no test spends. */
    public static SweepBudget budget() {
        return budget(ENOUGH);
    }

    /** A budget that ends with that many deletes. */
    public static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, () -> 0);
    }

    /** A budget that ends with the first step. */
    public static SweepBudget oneStep() {
        return new SweepBudget(ENOUGH, 0, () -> 0);
    }

    /** A budget of which nothing is left. */
    public static SweepBudget spent() {
        SweepBudget budget = oneStep();
        budget.spendStep();
        return budget;
    }

    public StreamState stream(String name) {
        StreamState stream = state.store.stream(new StreamName(name));
        assertThat(stream).as(name).isNotNull();
        return stream;
    }

    /** Cuts off all but a few bytes of the events of that stream, behind the back of the store. */
    public void damageEventsOf(String name) {
        int sid = stream(name).sid();
        Bytes from = EventKeys.start(Range.ORDERED, sid);
        Bytes to = EventKeys.end(Range.ORDERED, sid);
        state.events
                .contents()
                .subMap(from, to)
                .forEach((key, value) -> state.events.put(key, Arrays.copyOf(value, DAMAGED_BYTES)));
    }

    public boolean has(String name) {
        return state.store.stream(new StreamName(name)) != null;
    }

    /** Bodies of the errands that were sent, read as that type, which all of them are. */
    public <T> List<T> sent(Errand.Step step, Class<T> type) {
        return errands().stream()
                .filter(errand -> errand.step() == step)
                .map(errand -> JsonState.read(errand.body(), type))
                .toList();
    }

    public List<Errand> errands() {
        return sent(Nodes.COMMANDS_SINK, Errand.class);
    }

    public List<CommandResult> results() {
        return sent(Nodes.RESULTS_SINK, CommandResult.class);
    }

    public List<AuditRecord> audits() {
        return sent(Nodes.AUDIT_SINK, AuditRecord.class);
    }

    public List<SweepReport> reports() {
        return sent(Nodes.REPORTS_SINK, SweepReport.class);
    }

    /** Number of records for rows of events. */
    public int rows() {
        return kafka.forwarded(Nodes.MIRROR_SINK).size();
    }

    /** Number of records for rows of executions. */
    public int executionRows() {
        return kafka.forwarded(Nodes.EXECUTION_MIRROR_SINK).size();
    }

    /** Number of copies in the archive. */
    public int archived() {
        return kafka.forwarded(Nodes.ARCHIVE_SINK).size();
    }

    private <T> List<T> sent(String sink, Class<T> type) {
        return kafka.forwarded(sink).stream()
                .map(CapturedForward::record)
                .map(record -> type.cast(records.object((byte[]) record.value())))
                .toList();
    }

    private final class Observer implements RetentionObserver {

        @Override
        public void swept(SweepReport report) {
            swept.add(report);
        }

        @Override
        public void streamFailed(int partition, StreamName stream, Exception failure) {
            failed.add(stream.value());
        }
    }
}
