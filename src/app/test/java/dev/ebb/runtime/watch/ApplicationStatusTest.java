package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.SpentHour;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusView;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.streams.RestoreProgress;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.topology.observe.Observers;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatuses;
import dev.ebb.topology.policy.PolicyView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationStatusTest {

    private static final WaitingPolicy WAITING = new WaitingPolicy(
            PolicyKey.of(Scope.namespace("orders")), 17, "otto", 5, "why", new BrakeFinding(12, true, 40));

    private static final Instant STARTED = Instant.parse("2026-11-21T10:00:00Z");
    private static final StreamName STREAM = new StreamName("orders/eu-1");

    private final TaskStatuses tasks = new TaskStatuses();
    private final RetentionTotals totals = new RetentionTotals();
    private final RetentionObserver observer = new Observers(List.of(tasks, totals));
    private long nanos;
    private final RestoreProgress restores = new RestoreProgress(() -> nanos, new LifecycleObserver() {});
    private final ApplicationStatus status = new ApplicationStatus(
            EbbConfig.load(new ConfigSources(null, Map.of(), Map.of("sweep.enabled", "false"))),
            STARTED,
            new ApplicationStatus.Sources(
                    partition -> null,
                    () -> "RUNNING",
                    tasks,
                    totals,
                    restores,
                    () -> new PolicyView(
                            new PolicySet(Map.of(), new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE), 9),
                            12,
                            "no schema",
                            List.of(WAITING),
                            SpentHour.NOTHING,
                            0,
                            9),
                    () -> OptionalLong.of(5),
                    () -> new StatusView.ClockView(-3L, "it is late"),
                    () -> new StatusView.MirrorView("RUNNING", 7L, null, 0, null, 1),
                    () -> List.of("the disk is full")));

    @Test
    void shouldPutTogetherTheAnswersOfItsSources() {
        // given
        restores.onRestoreStart(new TopicPartition("changelog", 3), "usage", 0, 30);

        // when
        StatusView view = status.status();

        // then
        assertThat(view.applicationId()).isEqualTo("ebb");
        assertThat(view.instance()).isEqualTo("127.0.0.1:8480");
        assertThat(view.state()).isEqualTo("RUNNING");
        assertThat(view.startedAt()).isEqualTo(STARTED);
        assertThat(view.sweepEnabled()).isFalse();
        assertThat(view.restoring()).containsExactly(new StatusView.RestoreView("usage", 3, 0, 30, 0));
        assertThat(view.policies())
                .isEqualTo(new StatusView.PoliciesView(
                        9,
                        0,
                        "no schema",
                        List.of(new WaitingPolicyView(
                                "namespace:orders", 17, 17, "otto", Instant.ofEpochMilli(5), "why", 12L, true, 40L)),
                        new StatusView.BrakeView(20, 100, 604_800_000),
                        List.of()));
        assertThat(view.input().lag()).isEqualTo(5);
        assertThat(view.clock()).isEqualTo(new StatusView.ClockView(-3L, "it is late"));
        assertThat(view.mirror().lag()).isEqualTo(7);
        assertThat(view.problems()).containsExactly("the disk is full");
    }

    @Test
    @Tag("O-17")
    void shouldCountOnlyThePartitionsThatAreAskedForAndAreHere() {
        // given
        observer.taskStatus(task(0, new NamespaceTotals(1, 10, 1000, 0, 0, 0), null));
        observer.taskStatus(task(1, new NamespaceTotals(2, 5, 500, 1, 1, 1), report(1)));

        // then
        assertThat(status.namespaces(List.of(1)))
                .containsExactly(Map.entry("orders", new StatusView.NamespaceView(2, 5, 500, 1, 1, 1)));
        assertThat(status.namespaces(List.of(0, 1)).get("orders").events()).isEqualTo(15);
        assertThatThrownBy(() -> status.namespaces(List.of(0, 2))).isInstanceOf(NotReadyException.class);
    }

    @Test
    void shouldShowTheTasksAndTheTotalOfTheirStores() {
        // given
        observer.taskStatus(task(0, new NamespaceTotals(1, 10, 1000, 0, 0, 0), null));
        observer.taskStatus(task(1, new NamespaceTotals(2, 5, 500, 1, 1, 1), report(1)));

        // when
        StatusView view = status.status();

        // then
        assertThat(view.namespaces())
                .containsExactly(Map.entry("orders", new StatusView.NamespaceView(3, 15, 1500, 1, 1, 1)));
        assertThat(view.partitions())
                .containsExactly(
                        new StatusView.PartitionView(
                                0,
                                "waiting for policies",
                                null,
                                null,
                                null,
                                null,
                                9,
                                1,
                                2,
                                3,
                                4,
                                List.of(new StatusView.ParkedView("schema 7", "schema", "", 1, 4)),
                                2,
                                Map.of("orders/1", 2L),
                                3,
                                Map.of("orders/9", "it fails"),
                                5,
                                StatusView.CommandsView.NOTHING),
                        new StatusView.PartitionView(
                                1,
                                "waiting for policies",
                                null,
                                null,
                                Instant.ofEpochMilli(1000),
                                null,
                                9,
                                2,
                                2,
                                3,
                                4,
                                List.of(new StatusView.ParkedView("schema 7", "schema", "", 1, 4)),
                                2,
                                Map.of("orders/1", 2L),
                                3,
                                Map.of("orders/9", "it fails"),
                                5,
                                StatusView.CommandsView.NOTHING));
    }

    @Test
    void shouldKeepCountingWhenTasksMoveAway() {
        // given
        observer.ingested(STREAM, true, 0);
        observer.ingested(STREAM, false, 0);
        observer.updated(STREAM);
        observer.orphaned(STREAM);
        observer.late(STREAM, LateRecord.EVENT);
        observer.late(STREAM, LateRecord.EXECUTION);
        observer.rejected(RejectReason.BAD_TTL);
        observer.rekeyed();
        observer.deleted(STREAM, RemovalCause.TTL, new RemovalRule("event", "event", 9), 70, 1);

        // when
        observer.taskClosed(0);

        // then
        assertThat(status.status().counts())
                .isEqualTo(
                        new StatusView.CountsView(2, 1, 1, 2, 1, 1, Map.of("TTL", new StatusView.RemovedView(1, 70))));
    }

    private static TaskStatus task(int partition, NamespaceTotals totals, SweepReport report) {
        return new TaskStatus(
                partition,
                TaskStatus.SweepState.WAITING_FOR_POLICIES,
                -1,
                -1,
                -1,
                9,
                2,
                3,
                4,
                List.of(new TaskStatus.Parked(Wait.of("schema 7"), 1, 4)),
                Map.of("orders", totals),
                report,
                new TaskStatus.Stale(2, Map.of("orders/1", 2L)),
                Map.of("orders/9", "it fails"),
                3,
                5,
                List.of(),
                Map.of(),
                TaskStatus.Crowd.NONE);
    }

    /** An absent time stays absent, and does not become the beginning of 1970. */
    @ParameterizedTest
    @Tag("O-1")
    @CsvSource({
        "DISABLED, 0, false",
        "DISABLED, 5000, false",
        "CLOCK_GUARD, 5000, false",
        "IDLE, -1, false",
        "IDLE, 0, false",
        "IDLE, 1, true",
        "SWEEPING, 5000, true"
    })
    void shouldNameTheNextSweepOnlyIfThereIsOne(TaskStatus.SweepState state, long nextMs, boolean isNamed) {
        // given
        observer.taskStatus(new TaskStatus(
                0,
                state,
                -1,
                -1,
                nextMs,
                9,
                0,
                0,
                0,
                List.of(),
                Map.of(),
                null,
                TaskStatus.Stale.NONE,
                Map.of(),
                0,
                0,
                List.of(),
                Map.of(),
                TaskStatus.Crowd.NONE));

        // when
        StatusView.PartitionView partition = status.status().partitions().get(0);

        // then
        assertThat(partition.nextSweep()).isEqualTo(isNamed ? Instant.ofEpochMilli(nextMs) : null);
        assertThat(partition.lastSweepCompleted()).isNull();
    }

    private static SweepReport report(int partition) {
        return new SweepReport(
                "s",
                partition,
                SweepReport.Trigger.SCHEDULE,
                new SweepPoint(1000, 9),
                1000,
                1001,
                1,
                Map.of(),
                0,
                0,
                PolicyMode.ENFORCE,
                false);
    }
}
