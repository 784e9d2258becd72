package dev.ebb.wire.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.cli.FakeStatus;
import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.BrakeView;
import dev.ebb.port.StatusView.ClockView;
import dev.ebb.port.StatusView.MirrorView;
import dev.ebb.port.StatusView.ParkedView;
import dev.ebb.port.StatusView.PoliciesView;
import dev.ebb.port.StatusView.TrashView;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.instance.ConcernView.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-26")
class ConcernsTest {

    private final FakeStatus one = new FakeStatus("one");

    @Test
    void shouldFindNothingWhereAllIsWell() {
        one.partition(0);
        one.mirror = new MirrorView("RUNNING", 0L, null, 0, null, 0);

        assertThat(FakeStatus.all(one).concerns()).isEmpty();
    }

    @Test
    void shouldTakeASinkThatStartsForNoTrouble() {
        one.partition(0);
        one.mirror = new MirrorView("STARTING", null, null, 0, null, 0);

        assertThat(FakeStatus.all(one).concerns()).isEmpty();
    }

    @Test
    void shouldNameWhatIsWrongAndWhatWaitsWithTheRoleThatMayAct() {
        // given
        var partition = one.partition(0);
        partition.quarantinedStreams = 2;
        partition.quarantined = Map.of("orders/1", "its counts differ");
        partition.parkedFor = List.of(new ParkedView("schema 17", "schema", "", 1, 3));
        partition.staleEvents = 4;
        partition.staleStreams = Map.of("jobs/1", 1L, "jobs/2", 3L);
        one.restoring.add(new StatusView.RestoreView("usage", 0, 5, 20, 1));
        one.problems = List.of("threads failed in the last 10m: 0_1 (once); see the log");
        one.isSweepEnabled = false;
        one.clock = new ClockView(5L, "the clock is 12m behind");
        one.mirror = new MirrorView("FAILED", 5L, "boom", 1, "too long", 0);
        one.trash = new TrashView(3, 100, Instant.EPOCH, Instant.EPOCH, 2);
        one.policies = new PoliciesView(
                4,
                2,
                "nobody can read it",
                List.of(waiting("namespace:orders"), waiting("namespace:clicks")),
                new BrakeView(20, 100, 604_800_000),
                List.of("default.max.age"));

        // when
        InstancesView all =
                FakeStatus.all(2, List.of(new UnansweredView("two", List.of(1), "nothing listens there")), one);

        // then
        assertThat(all.concerns())
                .extracting(ConcernView::what, ConcernView::role)
                .containsExactly(
                        tuple(Kind.INSTANCE_AWAY, "admin"),
                        tuple(Kind.PARTITIONS_AWAY, null),
                        tuple(Kind.PROCESS, null),
                        tuple(Kind.POLICY_UNREADABLE, "admin"),
                        tuple(Kind.CLOCK, null),
                        tuple(Kind.SWEEPS_OFF, null),
                        tuple(Kind.SETTINGS, "admin"),
                        tuple(Kind.MIRROR, null),
                        tuple(Kind.ROWS_REFUSED, "operator"),
                        tuple(Kind.TRASH_MISSING, "restorer"),
                        tuple(Kind.QUARANTINE, "operator"),
                        tuple(Kind.CHANGE_WAITS, "admin"),
                        tuple(Kind.RESTORE, null),
                        tuple(Kind.RECORDS_WAIT, "operator"),
                        tuple(Kind.STALE_WORK, "operator"));
        assertThat(all.concerns())
                .extracting(ConcernView::text)
                .contains(
                        "Instance two does not answer: nothing listens there. If it is dead, 'ebb instance remove two' gives its"
                                + " partitions to the others at once",
                        "On one threads failed in the last 10m: 0_1 (once); see the log",
                        "1 store being restored: 5 of 20 records read",
                        "4 events protected for longer than stale.threshold, the most in jobs/2: retention never"
                                + " deletes such events",
                        "2 records of the trash missing, so an undo brings back less than promised: 'ebb trash list'"
                                + " names the deletes",
                        "1 partition cannot be read: 1. Lists and counts lack the streams there",
                        "Nothing is deleted from 2 streams in quarantine, the first is orders/1",
                        "The change of namespace:orders and 1 more of its file, asked for by otto, waits for a"
                                + " confirmation: it would delete too much");
        assertThat(all.concerns().get(11).since()).isEqualTo(Instant.EPOCH);
    }

    private static WaitingPolicyView waiting(String key) {
        return new WaitingPolicyView(key, 17, 17, "otto", Instant.EPOCH, "it would delete too much", null, false, null);
    }
}
