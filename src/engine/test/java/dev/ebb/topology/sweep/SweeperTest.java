package dev.ebb.topology.sweep;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.TestRecords;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.receipt.TestTree;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.source.SourceTargets;
import dev.ebb.topology.trash.TestBook;
import dev.ebb.topology.trash.TestTerms;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.RecordLimits;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sweeps of one partition without its task, slice by slice. */
class SweeperTest {

    private static final int PARTITION = 1;
    private static final long HOUR = Duration.ofHours(1).toMillis();

    /** All that the index entries of an event need. */
    private static final int DAMAGED_BYTES = 26;

    private final StoreFixture fixture = new StoreFixture();
    private final List<SweepReport> swept = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final RetentionObserver observer = new RetentionObserver() {
        @Override
        public void swept(SweepReport report) {
            swept.add(report);
        }

        @Override
        public void streamFailed(int partition, StreamName stream, Exception failure) {
            failed.add(stream.value());
        }
    };
    private final MockProcessorContext<Addressed, byte[]> kafka =
            new MockProcessorContext<>(new Properties(), new TaskId(0, PARTITION), new File("unused"));
    private final Outbox outbox = new Outbox(
            kafka,
            new TestRecords(),
            new MirrorRows(),
            new RecordLimits(1 << 20),
            TestTree.empty(),
            new SourceTargets(),
            TestTerms.NONE,
            TestBook.empty());
    private final SweepSchedule schedule = schedule();
    private final Sweeper sweeper = new Sweeper(new PartitionParts(
            fixture.store,
            schedule,
            outbox,
            new StreamGuard(fixture.store, schedule, observer, new Failures(), PARTITION),
            observer,
            PARTITION));

    @Test
    @Tag("O-2")
    @Tag("O-4")
    void shouldReportASweepOfManySlicesOnce() {
        // given two streams that lose three events each
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)));
        fill("a", 4);
        fill("b", 4);

        // when
        int slices = 1;
        for (slice(T0, 1); sweeper.isRunning(); slices++) {
            assertThat(slices).as("slices").isLessThan(100);
            slice(T0 + slices, 1);
        }

        // then
        assertThat(slices).isGreaterThanOrEqualTo(6);
        assertThat(sweeper.lastReport()).isNotNull().satisfies(report -> {
            assertThat(report.deleted().get("MAX_COUNT").events()).isEqualTo(6);
            assertThat(report.streamsProcessed()).isEqualTo(2);
            assertThat(report.isStoppedEarly()).isFalse();
        });
        assertThat(swept).containsExactly(sweeper.lastReport());
        assertThat(kafka.forwarded(Nodes.REPORTS_SINK)).hasSize(1);
        assertThat(sweeper.lastPointMs()).isEqualTo(T0);
        assertThat(sweeper.lastCompletedMs()).isEqualTo(T0 + slices - 1);
    }

    /** A sweep whose streams are gone before it comes to them is over, and there is nothing to report of it. */
    @Test
    @Tag("O-4")
    void shouldReportNoSweepThatFoundNothing() {
        // given
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)));
        fill("a", 2);
        slice(T0, spent());
        assertThat(sweeper.isRunning()).isTrue();

        // when
        schedule.forget(stream("a"));
        fixture.retire("a");
        slice(T0, 10);

        // then
        assertThat(sweeper.isRunning()).isFalse();
        assertThat(sweeper.lastReport()).isNull();
        assertThat(kafka.forwarded(Nodes.REPORTS_SINK)).isEmpty();
    }

    /** Streams for which the time did not last are the first of the next window. */
    @Test
    @Tag("O-1")
    void shouldKeepTheStreamsForWhichTheWindowWasTooShort() {
        // given
        LocalTime start = LocalTime.ofInstant(Instant.ofEpochMilli(T0), ZoneOffset.UTC);
        SweepWindow window = SweepWindow.of(start, start.plusHours(1), ZoneOffset.UTC);
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).set(PolicyField.WINDOW, window));
        fill("a", 2);
        fill("b", 2);
        slice(T0, 1);

        // when
        slice(T0 + HOUR, 10);

        // then
        assertThat(sweeper.isRunning()).isFalse();
        assertThat(swept).singleElement().satisfies(report -> {
            assertThat(report.isStoppedEarly()).isTrue();
            assertThat(report.deleted().values())
                    .extracting(SweepReport.Tally::events)
                    .containsExactly(1L);
        });
        assertThat(schedule.backlog(T0 + HOUR, 10)).isEqualTo(1);

        // and in the next window
        slice(T0 + 24 * HOUR, 10);
        assertThat(swept).hasSize(2);
        assertThat(schedule.backlog(T0 + 24 * HOUR, 10)).isZero();
    }

    @Test
    @Tag("O-2")
    void shouldKeepTheStreamsThatAStoppedSweepDidNotComeTo() {
        // given
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)));
        fill("a", 2);
        fill("b", 2);
        slice(T0, 1);

        // when
        sweeper.stop(T0 + 5);

        // then
        assertThat(sweeper.isRunning()).isFalse();
        assertThat(swept).singleElement().satisfies(report -> assertThat(report.isStoppedEarly())
                .isTrue());
        assertThat(schedule.backlog(T0, 10)).isEqualTo(1);
    }

    /** Two slices of a stream never come one after the other while another stream waits. */
    @Test
    @Tag("O-2")
    void shouldGoAroundTheStreamsSliceBySlice() {
        // given
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)));
        for (String stream : List.of("a", "b", "c")) {
            fill(stream, 5);
        }

        // when
        List<String> left = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            slice(T0 + i, 2);
            left.add(fixture.ids("a").size() + " " + fixture.ids("b").size() + " "
                    + fixture.ids("c").size());
        }

        // then
        assertThat(left).containsExactly("3 5 5", "3 3 5", "3 3 3", "1 3 3", "1 1 3", "1 1 1");
        assertThat(swept).hasSize(1);
    }

    /** The next sweep goes on where one has ended for it: a stream that has waited is never behind one that has not. */
    @Test
    @Tag("O-2")
    void shouldBeginTheNextSweepWithTheStreamsThatWaited() {
        // given
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).set(PolicyField.INTERVAL, 10L));
        fill("a", 9);
        fill("b", 9);
        slice(T0, 2);

        // when another stream comes in the middle of the round
        fill("c", 3);
        List<String> left = new ArrayList<>();
        for (int i = 1; i < 5; i++) {
            slice(T0 + 10 * i, 2);
            left.add(fixture.ids("a").size() + " " + fixture.ids("b").size() + " "
                    + fixture.ids("c").size());
        }

        // then
        assertThat(left).containsExactly("7 7 3", "7 7 1", "5 7 1", "5 5 1");
        assertThat(swept).singleElement().satisfies(report -> {
            assertThat(report.isStoppedEarly()).isTrue();
            assertThat(report.deleted().get("MAX_COUNT").events()).isEqualTo(4);
        });
        assertThat(sweeper.isRunning()).isTrue();
    }

    /** A stop leaves nothing out, and does not change whose turn it is. */
    @Test
    @Tag("O-2")
    void shouldGoOnWithTheRoundBehindAStop() {
        // given
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)));
        for (String stream : List.of("a", "b", "c")) {
            fill(stream, 5);
        }
        slice(T0, 2);

        // when
        sweeper.stop(T0 + 1);
        assertThat(schedule.backlog(T0 + 1, 10)).isEqualTo(3);
        slice(T0 + 2, 2);

        // then
        assertThat(fixture.ids("a")).hasSize(3);
        assertThat(fixture.ids("b")).hasSize(3);
        assertThat(fixture.ids("c")).hasSize(5);
        slice(T0 + 3, 100);
        assertThat(schedule.backlog(T0 + 3, 10)).isZero();
        assertThat(schedule.nextSweepMs(T0 + 3)).isGreaterThan(T0 + 3);
    }

    /** A stream that fails deletes nothing and costs time all the same, be it due or over a cap. */
    @ParameterizedTest
    @Tag("O-2")
    @Tag("I-3")
    @CsvSource({"true", "false"})
    void shouldEndASliceWithItsTimeAmongStreamsThatFail(boolean isDue) {
        // given
        long nowMs = T0 + 10_000;
        begin(
                isDue
                        ? RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000))
                        : RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)));
        for (String stream : List.of("a", "b", "c")) {
            fill(stream, 2);
            damage(stream);
        }

        // when
        List<Integer> failures = new ArrayList<>();
        for (int slices = 0; slices < 3; slices++) {
            slice(nowMs, oneStep());
            failures.add(failed.size());
        }

        // then
        assertThat(failures).containsExactly(1, 2, 3);
    }

    /** A guard keeps the events for now: the sweep comes back to the stream when it ends, though no record came. */
    @Test
    @Tag("A-1")
    void shouldComeBackToAStreamWhoseEventsAreTooYoung() {
        // given
        begin(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).set(PolicyField.MIN_AGE, Limit.of(HOUR)));
        fill("s", 3);
        slice(T0 + 5000, 10);
        assertThat(fixture.ids("s")).hasSize(3);

        // when
        slice(T0 + HOUR - 1, 10);
        int young = fixture.ids("s").size();
        slice(T0 + HOUR + 10_000, 10);

        // then
        assertThat(young).isEqualTo(3);
        assertThat(fixture.ids("s")).containsExactly("e2");
    }

    /** An empty partition says once a second up to when it holds nothing. */
    @ParameterizedTest
    @Tag("O-4")
    @CsvSource({"999, false", "1000, true", "1001, true"})
    void shouldPassOverAnEmptyPartitionOnceASecond(long laterMs, boolean isDue) {
        // given
        sweeper.passOver(T0);
        assertThat(sweeper.lastPointMs()).isEqualTo(T0);

        // when
        sweeper.passOver(T0 + laterMs);

        // then
        assertThat(sweeper.lastPointMs()).isEqualTo(isDue ? T0 + laterMs : T0);
        assertThat(sweeper.lastCompletedMs()).isEqualTo(sweeper.lastPointMs());
    }

    private SweepSchedule schedule() {
        fixture.schedule = new SweepSchedule(OptionalLong.empty(), stream -> stream.quarantine() != null);
        return fixture.schedule;
    }

    private void begin(RetentionPolicy.Builder policy) {
        fixture.policies(policy.build());
    }

    private void fill(String stream, int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event(stream, "e" + i));
        }
    }

    private void damage(String name) {
        int sid = stream(name).sid();
        fixture.events
                .contents()
                .subMap(EventKeys.start(Range.ORDERED, sid), EventKeys.end(Range.ORDERED, sid))
                .forEach((key, value) -> fixture.events.put(key, Arrays.copyOf(value, DAMAGED_BYTES)));
    }

    private StreamState stream(String name) {
        return Objects.requireNonNull(fixture.store.stream(new StreamName(name)));
    }

    private void slice(long nowMs, int deletes) {
        slice(nowMs, new SweepBudget(deletes, Long.MAX_VALUE / 2, () -> 0));
    }

    private void slice(long nowMs, SweepBudget budget) {
        sweeper.slice(fixture.policies(), nowMs, budget);
    }

    /** A budget whose time is up with the first step. */
    private static SweepBudget oneStep() {
        return new SweepBudget(1000, 0, () -> 0);
    }

    private static SweepBudget spent() {
        SweepBudget budget = oneStep();
        budget.spendStep();
        return budget;
    }
}
