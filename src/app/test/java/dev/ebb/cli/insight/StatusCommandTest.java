package dev.ebb.cli.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.FakeApi;
import dev.ebb.cli.FakeStatus;
import dev.ebb.port.StatusView.BrakeView;
import dev.ebb.port.StatusView.ClockView;
import dev.ebb.port.StatusView.MirrorView;
import dev.ebb.port.StatusView.ParkedView;
import dev.ebb.port.StatusView.PoliciesView;
import dev.ebb.port.StatusView.RemovedView;
import dev.ebb.port.StatusView.RestoreView;
import dev.ebb.port.StatusView.TrashView;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.instance.InstancesView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-16")
class StatusCommandTest {

    private final FakeStatus status = new FakeStatus("i");

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldShowInstancesPartitionsAndWhatTheySaid() {
        // given
        status.isSweepEnabled = false;
        status.partition(0);
        status.policies = new PoliciesView(
                4,
                2,
                null,
                List.of(
                        waiting("namespace:orders", 17, 17, "otto", "it would delete 90 of 100 events at once"),
                        waiting("namespace:other", 18, 17, "otto", ""),
                        waiting("hold:c", 19, 19, "", "it is being assessed")),
                new BrakeView(20, 100, 604_800_000),
                List.of());
        status.clock = new ClockView(-720_000L, "the clock is 12m behind");
        status.mirror = new MirrorView("FAILED", 5L, "boom", 0, null, 0);
        FakeStatus other = new FakeStatus("h");
        other.state = "REBALANCING";
        other.partition(1).state = "sweeping";
        other.restoring.add(new RestoreView("usage", 3, 1000, 10_000, 100));
        UnansweredView missing = new UnansweredView("j", List.of(2), "nothing listens there");

        // when
        String said = said(FakeStatus.all(4, List.of(missing), status, other));

        // then
        assertThat(said)
                .contains(
                        "RUNNING",
                        "switched off",
                        "2 in force, version 4",
                        "instances: 1 REBALANCING, 1 RUNNING, 1 without an answer; 4 partitions",
                        "idle",
                        "FAILED, 5 records behind, boom",
                        "no answer",
                        "j did not answer: nothing listens there",
                        "! Instance j does not answer: nothing listens there",
                        "waits for a confirmation: it would delete 90 of 100 events at once (for the role admin, since"
                                + " 1970-01-01",
                        "not exact: an instance did not answer",
                        "the clock is 12m behind",
                        "namespace:orders and 1 more of its file, version 17, asked for by otto:"
                                + " it would delete 90 of 100 events at once",
                        "hold:c, version 19: it is being assessed")
                .containsPattern("(?m)^ *0 +i +idle")
                .containsPattern("(?m)^ *1 +h +sweeping")
                .containsPattern("(?m)^ *2 +- +restoring, moving or unknown")
                .containsPattern("(?m)^h +usage +3 +1,000 +10,000 +100 +90 s")
                .containsPattern("(?m)^input +not known")
                .doesNotContain("namespace:other");
    }

    private static WaitingPolicyView waiting(String key, long version, long change, String actor, String why) {
        return new WaitingPolicyView(key, version, change, actor, Instant.EPOCH, why, null, false, null);
    }

    @Test
    @Tag("O-26")
    void shouldSayFirstThatNothingIsWrongOrWaits() {
        assertThat(said(FakeStatus.all(status))).startsWith("Nothing is wrong, and nothing waits for a person.");
    }

    @Test
    @Tag("O-26")
    void shouldNotCallARestoreAFault() {
        // given
        status.restoring.add(new RestoreView("usage", 3, 5, 20, 100));

        // then: each start restores
        assertThat(said(FakeStatus.all(status)))
                .startsWith("1 store being restored: 5 of 20 records read\nNothing is wrong, and nothing waits")
                .doesNotContain("! ");
    }

    @Test
    void shouldShowTheSumsOfTheAnswer() {
        // given an answer whose instances do not show all that was added up
        InstancesView one = FakeStatus.all(status);
        status.store("kafka", 1234);
        status.removed.put("MAX_AGE", new RemovedView(77, 2048));
        InstancesView both = FakeStatus.all(status, new FakeStatus("j").store("kafka", 1000));

        // when
        String said = said(new InstancesView("i", 0, both.sum(), one.instances(), List.of(), List.of(), List.of()));

        // then
        assertThat(said)
                .containsPattern("(?m)^taken in +10 events, 0 updates, 0 orphaned, 0 late, 0 rejected, 0 re-keyed")
                .containsPattern("(?m)^kafka +2 +2,234 +21.8 KiB +0 +0 +0")
                .containsPattern("(?m)^MAX_AGE +77 +2.0 KiB");
    }

    @ParameterizedTest
    @CsvSource({"-1, '0 in force'", "0, '0 in force, version 0'", "1, '0 in force, version 1'"})
    void shouldNameTheVersionOfThePoliciesOnceThereIsOne(int version, String expected) {
        // given
        status.policies = new PoliciesView(version, 0, null, List.of(), new BrakeView(20, 100, 604_800_000), List.of());

        // then
        assertThat(said(FakeStatus.all(status)).lines())
                .anyMatch(line -> line.strip().matches("policies +" + expected));
    }

    @Test
    @Tag("T-13")
    void shouldNameInstancesWhoseSettingsAreNotInForce() {
        // given
        FakeStatus other = new FakeStatus("h");
        other.policies = new PoliciesView(
                1,
                0,
                null,
                List.of(),
                new BrakeView(20, 100, 0),
                List.of("retention.default.max.age: 3d instead of 30d"));

        // then
        assertThat(said(FakeStatus.all(status, other)))
                .contains("not in force on h: retention.default.max.age: 3d instead of 30d")
                .doesNotContain("not in force on i");
    }

    @Test
    void shouldNotSpeakForOthersIfADrainedInstanceIsAsked() {
        // given
        status.state = "DRAINED";
        status.clock = new ClockView(0L, null);

        // then
        assertThat(said(FakeStatus.all(2, List.of(), status)))
                .containsPattern("(?m)^i +DRAINED +0 .* ended +as the broker's")
                .containsPattern("(?m)^ *0 +- +not known here")
                .contains("This instance is drained and knows of no others; ask another instance")
                .contains("STORED, of this instance only")
                .doesNotContain("moving");
    }

    @Test
    @Tag("O-6")
    void shouldShowStaleWorkByStreamTheMostFirst() {
        // given
        FakeStatus.Partition first = status.partition(0);
        first.staleEvents = 5;
        first.staleStreams = Map.of("jobs/1", 3L);
        FakeStatus.Partition second = status.partition(1);
        second.staleEvents = 1234;
        second.staleStreams = Map.of("jobs/2", 1234L);

        // then
        assertThat(said(FakeStatus.all(status)))
                .containsPattern("(?s)STALE WORK.*jobs/2 +1,234.*jobs/1 +3.*other streams +2.*ebb stream describe");
    }

    @Test
    void shouldSayNothingOfTroublesWhereThereAreNone() {
        // given
        status.partition(0);

        // then
        assertThat(said(FakeStatus.all(status)))
                .doesNotContain("STALE WORK", "QUARANTINED", "WAITING", "RESTORING", "not exact");
    }

    @Test
    void shouldNameQuarantinedStreamsWhereThereAreSome() {
        // given
        FakeStatus.Partition partition = status.partition(3);
        partition.quarantined = Map.of("orders/1", "it fails");

        // when
        partition.quarantinedStreams = 22;
        String many = said(FakeStatus.all(status));
        partition.quarantinedStreams = 1;
        String one = said(FakeStatus.all(status));

        // then
        assertThat(many).containsPattern("(?s)QUARANTINED.*3  orders/1 +it fails.*and 21 more");
        assertThat(one).contains("QUARANTINED").doesNotContain("more");
    }

    @Test
    void shouldSayWhatRecordsWaitFor() {
        // given
        FakeStatus.Partition partition = status.partition(3);
        partition.parkedRecords = 9;
        partition.parkedFor = List.of(new ParkedView("schema 7", "registry away", "no answer", 2, 5));

        // then
        assertThat(said(FakeStatus.all(status)))
                .contains("WAITING", "schema 7", "registry away: no answer", "and 4 more records", "ebb parked list");
    }

    @Test
    void shouldSayThatAnAnswerWithoutInstancesIsOfAnotherForm() {
        CommandRun run = api.answer("GET /v1/instances", 200, "{}").run("status");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("does it run another version?", "the instance that was asked is missing");
    }

    @Test
    @Tag("O-26")
    void shouldSayItInTenLinesHoweverManyNamespacesThereAre() {
        // given
        for (int i = 0; i < 200; i++) {
            status.store("n" + i, 1000);
        }
        status.partition(0);
        status.policies = new PoliciesView(
                4,
                2,
                null,
                List.of(waiting("hold:c", 19, 19, "otto", "too many")),
                new BrakeView(20, 100, 0),
                List.of());
        status.problems = List.of("the disk of state.dir is nearly full: 3 MiB left in /state");
        status.removed.put("TTL", new RemovedView(7, 9));

        // when
        CommandRun run = api.answer("GET /v1/instances", FakeStatus.all(status)).run("status");

        // then
        assertThat(run.out().lines()).hasSizeLessThanOrEqualTo(10);
        assertThat(run.out())
                .startsWith("! On i the disk of state.dir is nearly full: 3 MiB left in /state (for those who run the"
                        + " instances)")
                .contains("too many (for the role admin, since 1970-01-01")
                .contains("200,000 events in 200 streams", "7 events since the start")
                .doesNotContain("n17", "PARTITIONS");
    }

    /** Executions without events are records of the trash too. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 'trash        empty'",
        "3, 0, 'trash        3 events, 100 B can be brought back, until 1970-01-01T00:00:00Z'",
        "3, 2, 'trash        3 events, 100 B promised, until 1970-01-01T00:00:00Z; 2 records missing'",
        "0, 1, 'trash        0 events, 100 B promised, until 1970-01-01T00:00:00Z; 1 record missing'"
    })
    @Tag("T-16")
    void shouldPromiseNothingThatIsMissing(long events, long missing, String line) {
        // given
        status.partition(0);
        status.trash = new TrashView(events, 100, Instant.EPOCH, Instant.EPOCH, missing);

        // when
        String said = said(FakeStatus.all(status));

        // then
        assertThat(said).contains(line);
        assertThat(said.startsWith("Nothing is wrong")).isEqualTo(missing == 0);
    }

    private String said(Object answer) {
        CommandRun run = api.answer("GET /v1/instances", answer).run("status", "--verbose");
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }
}
