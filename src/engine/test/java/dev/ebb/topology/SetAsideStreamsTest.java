package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.completedBefore;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreCheck;
import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fault of one stream is mended or set aside, and everything else goes on. */
@Tag("O-1")
@Tag("I-3")
class SetAsideStreamsTest {

    private final TopologyFixture fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 10));

    @BeforeEach
    void fill() {
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        fixture.advance(1000);
        for (int i = 0; i < 30; i++) {
            fixture.event(event("a/1", "e" + i));
            fixture.event(event("b/1", "e" + i));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldCountAStreamAnewWhoseUsageSaysMoreThanThereIs() {
        // given an event that is gone behind the back of its usage
        KeyValue<Bytes, byte[]> lost = first("a/1");
        fixture.rawEvents().put(lost.key, null);

        // when
        fixture.advance(10_000);
        fixture.settle();

        // then all is swept, and the repair is on record
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.usageRepairs).singleElement().satisfies(repair -> {
            assertThat(repair.stream()).hasToString("a/1");
            assertThat(repair.reason()).contains("counts events that are not there", "found 0 (0 bytes)");
        });
        assertThat(fixture.observer.usageDifferences).isEqualTo(1);
        assertConsistent();
    }

    @Test
    void shouldFinishAPruneOfAStreamWhoseUsageSaysMoreThanThereIs() {
        // given
        fixture.rawEvents().put(first("a/1").key, null);

        // when
        CommandResult result = fixture.carryOut(request("c-1", prune("a/1", 0L, null)));

        // then
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(29);
        assertThat(fixture.ids("a/1")).isEmpty();
        assertThat(fixture.usageRepairs).hasSize(1);
        assertConsistent();
    }

    @Test
    void shouldTakeInAnEventWhoseIdLeadsNowhere() {
        // given
        KeyValueStore<Bytes, byte[]> store = fixture.rawEvents();
        KeyValue<Bytes, byte[]> lost = first("a/1");
        store.put(lost.key, null);
        Bytes id = Bytes.wrap(concat((byte) 'X', Arrays.copyOfRange(lost.key.get(), 1, 5), "e0".getBytes()));
        assertThat(store.get(id)).isNull();

        // when
        fixture.event(event("a/1", "e0").type("again"));
        fixture.settle();

        // then
        assertThat(fixture.ids("a/1")).hasSize(30).contains("e0");
    }

    @Test
    void shouldQuarantineAStreamThatCannotBeSweptAndSweepTheOthers() {
        // given
        damage(first("a/1"));

        // when
        fixture.advance(10_000);
        fixture.settleFor(3);

        // then
        assertThat(fixture.ids("b/1")).isEmpty();
        assertThat(quarantined()).isEqualTo("a/1");
        assertThat(fixture.observer.failedStreams).containsExactly("a/1");
        fixture.event(event("b/1", "new"));
        assertThat(fixture.ids("b/1")).containsExactly("new");
    }

    /** Only the end of the move, which does not come, would tell if readers see the event. */
    @Test
    @Tag("A-7")
    void shouldRefuseACommandOnAnEventOfAStreamThatIsQuarantinedInItsMove() {
        // given
        damage(first("a/1"));
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(100))
                .set(PolicyField.KEEP_LAST, Limit.of(5))
                .anchor(Anchor.OCCURRED)
                .build());
        fixture.advance(1000);
        fixture.settleFor(3);
        assertThat(quarantined()).isEqualTo("a/1");

        // when
        CommandResult result = fixture.carryOut(request("c-1", deleteEvent("a/1", "e29", false)));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(result.detail()).contains("quarantined", "ebb stream repair");
    }

    @Test
    void shouldKeepAStreamQuarantinedOverARestart() {
        // given
        damage(first("a/1"));
        fixture.advance(10_000);
        fixture.settleFor(3);

        // when
        fixture.restart();
        fixture.settleFor(3);

        // then nothing is tried again
        assertThat(fixture.observer.failedStreams).hasSize(1);
        assertThat(quarantined()).isEqualTo("a/1");
    }

    @Test
    void shouldRefuseToPruneAQuarantinedStreamButDeleteIt() {
        // given
        damage(first("a/1"));
        fixture.advance(10_000);
        fixture.settleFor(3);

        // when
        CommandResult pruned = fixture.carryOut(request("c-1", prune("a/1", 5L, null)));
        CommandResult deleted = fixture.carryOut(request("c-2", delete("a/1")));

        // then
        assertThat(pruned.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(pruned.detail()).contains("quarantined", "ebb stream repair");
        assertThat(deleted.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(deleted.outcome().deletions().streamsDeleted()).isEqualTo(1);
    }

    @Test
    @Tag("M-16")
    void shouldQuarantineAStreamOfWhichItOnlyWarns() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .mode(PolicyMode.WARN)
                .build());
        fixture.settle();
        damage(first("a/1"));

        // when
        fixture.advance(120_000);
        fixture.settleFor(3);

        // then the others are counted
        assertThat(quarantined()).isEqualTo("a/1");
        assertThat(fixture.reports.get(fixture.reports.size() - 1).streamsProcessed())
                .isEqualTo(1);

        // when it is counted again
        fixture.advance(120_000);
        fixture.settleFor(3);

        // then no sweep looks at it again
        assertThat(fixture.observer.failedStreams).containsExactly("a/1");
    }

    @ParameterizedTest
    @ValueSource(ints = {26, 6})
    @Tag("O-10")
    @Tag("M-16")
    void shouldDeleteAQuarantinedStreamWithoutTheCopyOfItsDamagedEvent(int bytesLeft) {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .set(PolicyField.ARCHIVE, true)
                .build());
        fixture.settle();
        Damage.cut(fixture, first("a/1"), bytesLeft);
        fixture.advance(10_000);
        fixture.settleFor(3);
        assertThat(quarantined()).isEqualTo("a/1");
        fixture.archived.clear();

        // when
        CommandResult deleted = fixture.carryOut(request("c-1", delete("a/1")));
        fixture.emptyOut();

        // then all others are archived, and that one is reported
        assertThat(deleted.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.hasRetired()).isFalse();
        assertThat(fixture.archived).hasSize(29);
        assertThat(fixture.observer.damaged).containsExactly("a/1");
    }

    @Test
    @Tag("O-7")
    void shouldPurgeAllOthersBesideAStreamThatCannotBeLookedAt() {
        // given a stream of which all events must be looked at to know when it was completed
        fixture.carryOut(request("c-0", deleteEvent("a/1", "e29", false)));
        damage(first("a/1"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(completedBefore(fixture.nowMs() + 1))));

        // then
        assertThat(counts(result)).contains("1 of 2 streams", "30 events", "skipped {FAILED=1}");
        assertThat(fixture.ids("b/1")).isEmpty();
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
    }

    @Test
    @Tag("O-6")
    void shouldSayWhatWasPrunedBeforeItFailed() {
        // given
        Damage.cut(fixture, Damage.behind(fixture, 1, 15));

        // when
        CommandResult result = fixture.carryOut(request("c-1", prune("a/1", 5L, null)));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.FAILED);
        assertThat(counts(result))
                .isEqualTo("0 of 1 streams, 0 executions, 15 events, 0 protected, skipped {FAILED=1}");
        fixture.settleFor(1);
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
    }

    @Test
    @Tag("O-5")
    void shouldSweepAllOthersByHandAndReportWhatHasGone() {
        // given
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1_000_000), 10));
        fixture.settleFor(2);
        Damage.cut(fixture, Damage.behind(fixture, 1, 15));
        fixture.advance(10_000);

        // when
        CommandResult result = fixture.carryOut(request("c-1", sweep(Scope.ALL)));

        // then
        assertThat(counts(result)).contains("0 of 2 streams", "45 events", "skipped {FAILED=1}");
        assertThat(fixture.ids("b/1")).isEmpty();
        assertThat(fixture.reports)
                .filteredOn(report -> report.sweepId().equals("c-1"))
                .singleElement()
                .satisfies(report -> assertThat(
                                report.deleted().values().iterator().next().events())
                        .isEqualTo(45));
        fixture.settleFor(1);
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }

    private String quarantined() {
        return String.join(",", fixture.status().quarantined().keySet());
    }

    private KeyValue<Bytes, byte[]> first(String stream) {
        return Damage.first(fixture, stream.equals("a/1") ? 1 : 2);
    }

    private void damage(KeyValue<Bytes, byte[]> event) {
        Damage.cut(fixture, event);
    }

    private static byte[] concat(byte first, byte[] second, byte[] third) {
        byte[] all = new byte[1 + second.length + third.length];
        all[0] = first;
        System.arraycopy(second, 0, all, 1, second.length);
        System.arraycopy(third, 0, all, 1 + second.length, third.length);
        return all;
    }
}
