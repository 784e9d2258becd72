package dev.ebb.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.topology.observe.Observers;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.observe.TaskStatuses;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PrometheusObserverTest {

    private static final StreamName STREAM = new StreamName("orders/eu-1");

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final TaskStatuses tasks = new TaskStatuses();
    private final PrometheusObserver metrics = new PrometheusObserver(registry, tasks);
    private final RequestMetrics requests = new RequestMetrics(registry);
    private final RetentionObserver observer = new Observers(List.of(tasks, metrics));

    @BeforeEach
    void registerInstance() {
        InstanceMetrics.registerReady(registry, () -> true);
        InstanceMetrics.registerHeap(registry, () -> 0.5);
        InstanceMetrics.registerProblems(registry, () -> 5, () -> true);
        InstanceMetrics.register(
                registry,
                new InstanceMetrics.Sources(
                        () -> 7,
                        () -> List.of(
                                waiting("a", null),
                                waiting("b", new BrakeFinding(1, false, 2)),
                                waiting("c", BrakeFinding.NOTHING)),
                        () -> 2,
                        () -> OptionalLong.of(11),
                        () -> OptionalLong.of(-1500),
                        () -> true,
                        () -> Map.of("events", 12L),
                        () -> Map.of("events", 3L),
                        () -> Map.of("events", "RUNNING"),
                        () -> List.of(new InstanceMetrics.Restore("usage", 1, 13)),
                        () -> new SharedMemory.Use(14, 15, 16, 17),
                        Duration.ofDays(7)));
        metrics.registerForecasts(
                registry,
                () -> Map.of("orders", new DueSums(new Tally(1, 10), new Tally(2, 20), new Tally(5, 50), 7_500L, 3)),
                () -> 4);
    }

    @Test
    @Tag("O-8")
    void shouldCountChangesThatTheBrakeHoldsBack() throws IOException {
        assertThat(page())
                .contains(
                        "ebb_policies_waiting{for=\"assessment\"} 1.0",
                        "ebb_policies_waiting{for=\"confirmation\"} 2.0");
    }

    private static WaitingPolicy waiting(String namespace, @Nullable BrakeFinding finding) {
        return new WaitingPolicy(PolicyKey.of(Scope.namespace(namespace)), 1, "", 0, "", finding);
    }

    @Test
    void shouldShowComingDeletions() throws IOException {
        assertThat(page())
                .contains(
                        "ebb_events_due{namespace=\"orders\",within=\"1h\"} 1.0",
                        "ebb_events_due{namespace=\"orders\",within=\"1d\"} 2.0",
                        "ebb_bytes_due{namespace=\"orders\",within=\"1d\"} 20.0",
                        "ebb_events_held{namespace=\"orders\"} 3.0",
                        "ebb_events_expiring{namespace=\"orders\"} 5.0",
                        "ebb_bytes_expiring{namespace=\"orders\"} 50.0",
                        "ebb_earliest_expiry_timestamp_seconds{namespace=\"orders\"} 7.5",
                        "ebb_holds 4.0");
    }

    /** Producers choose namespaces: a million of them come and go, and each event is counted once. */
    @Test
    @Tag("A-8")
    void shouldGiveAThousandNamespacesALabelAndCountTheOthersTogether() throws IOException {
        // given
        int namespaces = 1_000_000;
        RemovalRule rule = new RemovalRule("*", "all", 5);

        // when
        for (int i = 0; i < namespaces; i++) {
            StreamName stream = new StreamName("session-" + i + "/x");
            observer.ingested(stream, true, 20);
            observer.updated(stream);
            observer.deleted(stream, RemovalCause.MAX_AGE, rule, 3, 0);
        }
        Map<String, NamespaceTotals> held = new HashMap<>();
        for (int i = namespaces - 2000; i < namespaces; i++) {
            held.put("session-" + i, new NamespaceTotals(1, 1, 3, 0, 0, 0));
        }
        observer.taskStatus(status(0, held));

        // then
        List<String> page = page();
        assertThat(page)
                .contains(
                        "ebb_updates_total{namespace=\"session-999\"} 1.0",
                        "ebb_updates_total{namespace=\"other\"} 999000.0",
                        "ebb_streams_stored{namespace=\"other\"} 2000.0")
                .noneMatch(line -> line.contains("session-1000\""));
        assertThat(series(page, "ebb_events_ingested_total{kind=\"new\"")).hasSize(1001);
        assertThat(sum(page, "ebb_events_ingested_total{")).isEqualTo(namespaces);
        assertThat(sum(page, "ebb_bytes_deleted_total{")).isEqualTo(3.0 * namespaces);
        assertThat(sum(page, "ebb_bytes_stored{")).isEqualTo(6000);
        assertThat(page).hasSizeLessThan(20_000);
    }

    private static List<String> series(List<String> page, String begin) {
        return page.stream().filter(line -> line.startsWith(begin)).toList();
    }

    private static double sum(List<String> page, String begin) {
        return series(page, begin).stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void shouldCountIncomingRecords() throws IOException {
        // when
        observer.ingested(STREAM, true, 20);
        observer.ingested(STREAM, false, 700);
        observer.updated(STREAM);
        observer.orphaned(STREAM);
        observer.late(STREAM, LateRecord.EVENT);
        observer.late(STREAM, LateRecord.UPDATE);
        observer.late(STREAM, LateRecord.EXECUTION);
        observer.ttlRefused(STREAM);
        observer.rejected(RejectReason.BAD_TTL);
        observer.rekeyed();
        observer.checkpointed();

        // then
        assertThat(page())
                .contains(
                        "ebb_events_ingested_total{kind=\"new\",namespace=\"orders\"} 1.0",
                        "ebb_events_ingested_total{kind=\"replaced\",namespace=\"orders\"} 1.0",
                        "ebb_ingest_delay_seconds_bucket{le=\"0.1\"} 1",
                        "ebb_ingest_delay_seconds_sum 0.72",
                        "ebb_updates_total{namespace=\"orders\"} 1.0",
                        "ebb_updates_orphaned_total 1.0",
                        "ebb_records_late_total{kind=\"event\"} 1.0",
                        "ebb_records_late_total{kind=\"update\"} 1.0",
                        "ebb_records_late_total{kind=\"execution\"} 1.0",
                        "ebb_ttl_requests_refused_total 1.0",
                        "ebb_records_rejected_total{reason=\"BAD_TTL\"} 1.0",
                        "ebb_checkpoints_total 1.0",
                        "ebb_records_rekeyed_total 1.0");
    }

    @Test
    @Tag("O-1")
    @Tag("I-3")
    void shouldCountFailuresAndDifferences() throws IOException {
        // given
        assertThat(page()).contains("ebb_usage_differences_total 0.0", "ebb_failed_streams_total 0.0");
        Exception failure = new IllegalStateException("as the test wants it");

        // when
        observer.streamFailed(1, STREAM, failure);
        observer.commandFailed(1, "c-1", failure);
        observer.commandFailed(1, "c-2", failure);
        observer.unsent("ebb.audit");
        observer.usageRecounted(1, STREAM, "a finding", List.of());
        observer.usageRecounted(1, STREAM, "a finding", List.of("one", "two", "three"));
        observer.taskStatus(status(1, new NamespaceTotals(1, 1, 1, 0, 0, 0)));

        // then
        assertThat(page())
                .contains(
                        "ebb_failed_streams_total 1.0",
                        "ebb_failed_commands_total 2.0",
                        "ebb_records_unsent_total{topic=\"ebb.audit\"} 1.0",
                        "ebb_usage_differences_total 3.0",
                        "ebb_quarantined_streams{partition=\"1\"} 9.0");
    }

    @Test
    @Tag("I-3")
    void shouldCountRecountsAndTheirFindings() throws IOException {
        // given
        assertThat(page()).contains("ebb_figure_differences_total 0.0", "ebb_recounts_total 0.0");

        // when
        observer.figuresRecounted(1, List.of());
        observer.figuresRecounted(2, List.of("one", "two"));

        // then
        assertThat(page()).contains("ebb_figure_differences_total 2.0", "ebb_recounts_total 2.0");
    }

    @Test
    @Tag("O-5a")
    void shouldShowEventsThatModeWarnKeepsUntilTheTaskCloses() throws IOException {
        // when
        observer.warned(1, 3);
        observer.warned(1, 7);
        List<String> shown = page();
        observer.taskClosed(1);

        // then
        assertThat(shown).contains("ebb_events_would_delete{partition=\"1\"} 7.0");
        assertThat(page()).noneMatch(line -> line.startsWith("ebb_events_would_delete{"));
    }

    @Test
    void shouldCountDeletionsAndTheirDelay() throws IOException {
        // given
        var rule = new RemovalRule("namespace:orders", "namespace", 5);
        var report = new SweepReport(
                "s",
                1,
                SweepReport.Trigger.SCHEDULE,
                new SweepPoint(0, 5),
                1000,
                1250,
                1,
                Map.of(),
                0,
                0,
                PolicyMode.ENFORCE,
                false);

        // when
        observer.deleted(STREAM, RemovalCause.MAX_AGE, rule, 100, 400);
        observer.deleted(STREAM, RemovalCause.MAX_COUNT, rule, 100, -1);
        observer.swept(report);
        observer.sweepFailed(1, new IllegalStateException("as the test wants it"));

        // then
        assertThat(page())
                .contains(
                        "ebb_events_deleted_total{cause=\"MAX_AGE\",namespace=\"orders\",scope=\"namespace\"} 1.0",
                        "ebb_bytes_deleted_total{cause=\"MAX_COUNT\",namespace=\"orders\",scope=\"namespace\"} 100.0",
                        "ebb_delete_lateness_seconds_count 1",
                        "ebb_delete_lateness_seconds_sum 0.4",
                        "ebb_sweeps_total 1.0",
                        "ebb_sweep_duration_seconds_sum 0.25",
                        "ebb_sweeps_failed_total{partition=\"1\"} 1.0");
    }

    @Test
    void shouldShowTheStoresOfTasksUntilTheyClose() throws IOException {
        // given
        observer.taskStatus(status(0, new NamespaceTotals(1, 10, 1000, 3, 2, 4)));
        observer.taskStatus(status(1, new NamespaceTotals(1, 20, 2000, 0, 0, 0)));

        // when
        List<String> both = page();
        observer.taskClosed(1);

        // then
        assertThat(both)
                .contains(
                        "ebb_streams_stored{namespace=\"orders\"} 2.0",
                        "ebb_events_stored{namespace=\"orders\"} 30.0",
                        "ebb_bytes_stored{namespace=\"orders\"} 3000.0",
                        "ebb_events_protected{namespace=\"orders\"} 3.0",
                        "ebb_events_infinite{namespace=\"orders\"} 2.0",
                        "ebb_events_timed{namespace=\"orders\"} 4.0",
                        "ebb_events_untimed{namespace=\"orders\"} 21.0",
                        "ebb_parked_records{partition=\"1\"} 6.0",
                        "ebb_backlog_streams{partition=\"1\"} 5.0",
                        "ebb_sweep_completed_timestamp_seconds{partition=\"1\"} 2.0");
        assertThat(page()).contains("ebb_events_stored{namespace=\"orders\"} 10.0");
    }

    @Test
    void shouldShowTheSurroundingsOfTheTasks() throws IOException {
        assertThat(page())
                .contains(
                        "ebb_policy_version 7.0",
                        "ebb_input_lag_records 11.0",
                        "ebb_clock_difference_seconds -1.5",
                        "ebb_clock_guard 1.0",
                        "ebb_mirror_lag_records{connector=\"events\"} 12.0",
                        "ebb_connector_state{connector=\"events\",state=\"RUNNING\"} 1.0",
                        "ebb_restore_remaining_records{partition=\"1\",store=\"usage\"} 13.0",
                        "ebb_memory_bytes{of=\"blocks\"} 14.0",
                        "ebb_memory_limit_bytes{of=\"blocks\"} 15.0",
                        "ebb_memory_bytes{of=\"lookups\"} 16.0",
                        "ebb_memory_limit_bytes{of=\"lookups\"} 17.0");
    }

    @Test
    void shouldShowTheProcessUnderTheUsualNames() throws IOException {
        // when
        InstanceMetrics.registerProcess(registry);

        // then
        String page = String.join("\n", page());
        assertThat(page)
                .contains(
                        "\njvm_memory_used_bytes{area=\"heap\"} ",
                        "\njvm_memory_max_bytes{area=\"heap\"} ",
                        "\njvm_gc_collection_seconds_sum{gc=",
                        "\njvm_threads_current ",
                        "\nprocess_cpu_seconds_total ");
    }

    @Test
    @Tag("T-2")
    void shouldCountWhatHasComeBack() throws IOException {
        // when
        observer.returned(STREAM, 100);
        observer.returned(STREAM, 50);
        observer.trashForged(0, 2);
        observer.trashUnread(0, "away");

        // then
        assertThat(page())
                .contains(
                        "ebb_events_returned_total{namespace=\"orders\"} 2.0",
                        "ebb_bytes_returned_total{namespace=\"orders\"} 150.0",
                        "ebb_trash_forged_total 2.0",
                        "ebb_trash_unread_total 1.0");
    }

    @Test
    @Tag("T-5")
    void shouldShowWhatWaitsInTheTrash() throws IOException {
        // given
        TrashSum sum = TrashSum.of(
                        STREAM,
                        new Deletion(RemovalCause.PURGE, "command", -1, "", List.of(), "", "c-1", 1000, 90_000),
                        3,
                        300)
                .missing(2);
        TrashSum later = TrashSum.of(
                STREAM, new Deletion(RemovalCause.PURGE, "command", -1, "", List.of(), "", "c-2", 2000, 95_000), 1, 50);

        // when
        observer.taskStatus(status(1, List.of(sum, later), Map.of("undo", 7000L)));

        // then
        assertThat(page())
                .contains(
                        "ebb_trash_events{partition=\"1\"} 4.0",
                        "ebb_trash_bytes{partition=\"1\"} 350.0",
                        "ebb_trash_missing{partition=\"1\"} 2.0",
                        "ebb_trash_since_timestamp_seconds{partition=\"1\"} 1.0",
                        "ebb_trash_until_timestamp_seconds{partition=\"1\"} 95.0",
                        "ebb_undo_max_seconds 604800.0",
                        "ebb_command_started_timestamp_seconds{partition=\"1\",verb=\"undo\"} 7.0");
    }

    /** A rule sees no increase where the first value is the first sample. */
    @Test
    @Tag("T-4")
    void shouldCountTheEndsOfCommandsFromZeroOn() throws IOException {
        // given
        assertThat(page())
                .contains(
                        "ebb_commands_total{outcome=\"refused\",verb=\"undo\"} 0.0",
                        "ebb_commands_total{outcome=\"failed\",verb=\"erase\"} 0.0");

        // when
        observer.commandEnded(ended("undo", null, false));
        observer.commandEnded(ended("undo", Refusal.NOT_READY, false));
        observer.commandEnded(ended("undo", Refusal.NOT_READY, true));
        observer.commandEnded(ended("erase", Refusal.FAILED, false));

        // then
        assertThat(page())
                .contains(
                        "ebb_commands_total{outcome=\"done\",verb=\"undo\"} 1.0",
                        "ebb_commands_total{outcome=\"refused\",verb=\"undo\"} 1.0",
                        "ebb_commands_total{outcome=\"failed\",verb=\"erase\"} 1.0");
    }

    @Test
    @Tag("O-11")
    void shouldCountCommandsForWhichThereIsNoRoom() throws IOException {
        // when
        observer.commandRefused(1, ended("erase", Refusal.BUSY, true));
        observer.commandRefused(1, ended("erase", Refusal.BAD_COMMAND, true));
        metrics.commandTurnedAway();
        metrics.commandTurnedAway();

        // then
        assertThat(page())
                .contains(
                        "ebb_commands_busy_total{by=\"partition\"} 1.0",
                        "ebb_commands_busy_total{by=\"instance\"} 2.0");
    }

    private static CommandResult ended(String verb, Refusal refusal, boolean isDryRun) {
        CommandResult.State state = refusal == null ? CommandResult.State.DONE : CommandResult.State.REFUSED;
        return new CommandResult("c", verb, state, refusal, "", isDryRun, Outcome.nothing(), 1, "");
    }

    /** C-3 and C-10: forecasts, history and news are counted as all routes are. */
    @Test
    @Tag("C-10")
    void shouldCountRequestsByRouteAndStatus() throws IOException {
        // when
        requests.answered("GET /v1/forecast", 200, 300_000_000);
        requests.answered("GET /v1/forecast", 200, 600_000_000);
        requests.answered("GET /v1/forecast", 400, 1_000_000);
        requests.answered("console", 304, 1_000_000);
        requests.listening(1);
        requests.listening(1);
        requests.listening(-1);

        // then
        assertThat(page())
                .contains(
                        "ebb_api_requests_total{route=\"GET /v1/forecast\",status=\"200\"} 2.0",
                        "ebb_api_requests_total{route=\"GET /v1/forecast\",status=\"400\"} 1.0",
                        "ebb_api_requests_total{route=\"console\",status=\"304\"} 1.0",
                        "ebb_api_request_duration_seconds_bucket{route=\"GET /v1/forecast\",le=\"0.5\"} 2",
                        "ebb_api_request_duration_seconds_bucket{route=\"GET /v1/forecast\",le=\"1.0\"} 3",
                        "ebb_api_listeners 1.0");
    }

    @Test
    @Tag("F-7")
    void shouldCountRecordsThatATombstoneOvertook() throws IOException {
        // when
        metrics.overtaken("orders");
        metrics.overtaken("orders");
        metrics.lost("orders", "shop.orders-0@17");

        // then
        assertThat(page())
                .contains(
                        "ebb_source_overtaken_total{source=\"orders\"} 2.0",
                        "ebb_source_lost_total{source=\"orders\"} 1.0");
    }

    @Test
    void shouldMoveEveryMeter() throws IOException {
        // given
        shouldCountTheEndsOfCommandsFromZeroOn();
        shouldCountCommandsForWhichThereIsNoRoom();
        shouldCountIncomingRecords();
        shouldCountDeletionsAndTheirDelay();
        shouldCountFailuresAndDifferences();
        shouldCountRecountsAndTheirFindings();
        shouldShowEventsThatModeWarnKeepsUntilTheTaskCloses();
        shouldShowTheStoresOfTasksUntilTheyClose();
        observer.warned(1, 5);
        shouldCountRecordsThatATombstoneOvertook();
        shouldCountWhatHasComeBack();
        shouldShowWhatWaitsInTheTrash();
        shouldCountRequestsByRouteAndStatus();

        // when
        List<String> lines = page();

        // then
        assertThat(Meter.values()).allSatisfy(meter -> assertThat(lines)
                .anyMatch(line -> line.startsWith(meter.title()) && !line.endsWith(" 0.0")));
    }

    @Test
    void shouldNotNameStreams() throws IOException {
        // when
        shouldMoveEveryMeter();

        // then
        assertThat(Arrays.stream(Meter.values()).flatMap(meter -> Arrays.stream(meter.labels())))
                .doesNotContain("stream");
        assertThat(page()).noneMatch(line -> line.contains("eu-1"));
    }

    private List<String> page() throws IOException {
        var out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(out, registry.scrape());
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static TaskStatus status(int partition, NamespaceTotals totals) {
        return status(partition, Map.of("orders", totals));
    }

    private static TaskStatus status(int partition, Map<String, NamespaceTotals> namespaces) {
        return status(partition, namespaces, List.of(), Map.of());
    }

    private static TaskStatus status(int partition, List<TrashSum> trash, Map<String, Long> commands) {
        return status(partition, Map.of(), trash, commands);
    }

    private static TaskStatus status(
            int partition, Map<String, NamespaceTotals> namespaces, List<TrashSum> trash, Map<String, Long> commands) {
        return new TaskStatus(
                partition,
                SweepState.IDLE,
                1000,
                2000,
                3000,
                5,
                5,
                0,
                6,
                List.of(),
                namespaces,
                null,
                new TaskStatus.Stale(8, Map.of()),
                Map.of(),
                9,
                5,
                trash,
                commands,
                new TaskStatus.Crowd(3, 7));
    }
}
