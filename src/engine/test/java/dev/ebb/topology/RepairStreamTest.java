package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.all;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreCheck;
import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A stream that is set aside is looked at again on request, and goes on where it can. */
@Tag("O-1")
@Tag("I-3")
class RepairStreamTest {

    private static final byte ORDERED = 'O';
    private static final int ENOUGH_FOR_INDEXES = 26;

    private final TopologyFixture fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 10));

    @BeforeEach
    void fill() {
        maxAge(5000);
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
    void shouldEndTheQuarantineOfAStreamThatIsInOrderAndSweepIt() {
        // given a stream whose event was damaged and has been put right
        KeyValue<Bytes, byte[]> event = first();
        quarantine(event);
        fixture.rawEvents().put(event.key, event.value);

        // when
        CommandResult result = fixture.carryOut(request("c-1", repair("a/1")));

        // then
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(result.detail()).contains("the quarantine has ended (it was: ", "the recount found no differences");
        fixture.settle();
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.status().quarantinedStreams()).isZero();
        assertConsistent();
    }

    @Test
    void shouldMendWhatIsWrongAndSayIt() {
        // given
        fixture.rawEvents().put(first().key, null);

        // when
        CommandResult result = fixture.carryOut(request("c-1", repair("a/1")));

        // then
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(result.detail()).contains("it was not quarantined", "recorded 30 events", "found 29");
        assertThat(fixture.usageRepairs).singleElement().satisfies(repair -> assertThat(repair.reason())
                .contains("asked for by anna (clean-up)", "found 29"));
        assertConsistent();
    }

    @Test
    void shouldQuarantineTheStreamAgainIfTheFailureComesAgain() {
        // given a stream that was in order for as long as its repair took
        KeyValue<Bytes, byte[]> event = first();
        quarantine(event);
        fixture.rawEvents().put(event.key, event.value);
        maxAge(1_000_000);
        CommandResult result = fixture.carryOut(request("c-1", repair("a/1")));
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, ENOUGH_FOR_INDEXES));

        // when
        maxAge(5000);
        fixture.advance(2000);
        fixture.settleFor(3);

        // then
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.observer.failedStreams).containsExactly("a/1", "a/1");
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
    }

    @Test
    @Tag("O-9")
    void shouldOnlySayWhetherTheStreamIsQuarantined() {
        // given
        CommandResult before = fixture.carryOut(dryRun("c-1", repair("a/1")));
        quarantine(first());

        // when
        CommandResult after = fixture.carryOut(dryRun("c-2", repair("a/1")));

        // then
        assertThat(before.detail()).isEqualTo("it is not quarantined");
        assertThat(after.detail()).isEqualTo("it is quarantined: " + reason());
        assertThat(fixture.status().quarantinedStreams()).isEqualTo(1);
    }

    @Test
    void shouldSayThatThereIsNoSuchStream() {
        // when
        CommandResult result = fixture.carryOut(request("c-1", repair("nobody/1")));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    @Tag("O-11")
    void shouldGoOnAfterARestartInItsMiddle() {
        // given a recount that has begun
        KeyValue<Bytes, byte[]> event = first();
        quarantine(event);
        fixture.rawEvents().put(event.key, event.value);
        fixture.send(request("c-1", repair("a/1")));
        assertThat(fixture.status().quarantinedStreams()).isEqualTo(1);

        // when
        fixture.restart();
        CommandResult result = fixture.finish("c-1");
        fixture.settle();

        // then
        assertThat(result.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.status().quarantinedStreams()).isZero();
    }

    @Test
    @Tag("O-11")
    void shouldCountNothingAnewWhenTheCommandIsSentAgain() {
        // given
        CommandResult first = fixture.carryOut(request("c-1", repair("a/1")));
        fixture.rawEvents().put(first().key, null);

        // when
        CommandResult again = fixture.carryOut(request("c-1", repair("a/1")));
        fixture.settle();

        // then
        assertThat(again.detail()).isEqualTo(first.detail());
        assertThat(fixture.usageRepairs).isEmpty();
    }

    @Test
    void shouldNotQuarantineAStreamBecauseItIsRepairedOftenOrByManyAtOnce() {
        // when
        for (int i = 0; i < 5; i++) {
            fixture.send(request("c-" + i, repair("a/1")));
        }
        for (int i = 0; i < 5; i++) {
            assertThat(fixture.finish("c-" + i).state()).isEqualTo(CommandResult.State.DONE);
            fixture.carryOut(request("d-" + i, repair("a/1")));
        }

        // then
        assertThat(fixture.status().quarantinedStreams()).isZero();
    }

    @Test
    @Tag("A-7")
    void shouldLetTheMoveOfAQuarantinedStreamGoOn() {
        // given a stream that was quarantined in the middle of its move, and put right
        KeyValue<Bytes, byte[]> event = first();
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, ENOUGH_FOR_INDEXES));
        rearrange();
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
        fixture.rawEvents().put(event.key, event.value);

        // when
        CommandResult result = fixture.carryOut(request("c-1", repair("a/1")));

        // then
        assertThat(result.state()).as(result.detail()).isEqualTo(CommandResult.State.DONE);
        assertThat(result.detail()).contains("the quarantine has ended");
        assertThat(fixture.status().movingStreams()).isZero();
        assertThat(fixture.status().quarantinedStreams()).isZero();
        assertConsistent();
    }

    @Test
    @Tag("A-7")
    void shouldEndIfTheMoveFailsAgain() {
        // given
        KeyValue<Bytes, byte[]> event = first();
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, ENOUGH_FOR_INDEXES));
        rearrange();

        // when
        CommandResult result = fixture.carryOut(request("c-1", repair("a/1")));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.FAILED);
        assertThat(result.detail()).contains("it is quarantined again", "rearranged");
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
    }

    @Test
    void shouldEndIfTheEventsCannotBeCountedAndLetTheOthersGoOn() {
        // given
        KeyValue<Bytes, byte[]> event = first();
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, ENOUGH_FOR_INDEXES));

        // when
        CommandResult result = fixture.carryOut(request("c-1", repair("a/1")));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.FAILED);
        assertThat(result.detail()).contains("its events cannot be counted");
        fixture.advance(10_000);
        fixture.settle();
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
        assertThat(fixture.ids("b/1")).isEmpty();
    }

    @Test
    @Tag("O-20")
    @Tag("M-4")
    void shouldNotPurgeAStreamBesideWhoseRecountARecordWaits() {
        // given a recount that is under way, and an update that would protect an event
        maxAge(1_000_000);
        for (int i = 30; i < 300; i++) {
            fixture.event(event("a/1", "e" + i));
        }
        fixture.send(request("c-1", repair("a/1")));
        fixture.advance(100);
        fixture.records.awaited(Wait.of("schema 8"));
        EventUpdate update = new EventUpdate(new StreamName("a/1"), new EventId("e0"), "pending", null, null, null);
        fixture.send("a/1".getBytes(UTF_8), fixture.records.bytes("schema 8", update), fixture.nowMs());

        // when
        CommandResult purged = fixture.carryOut(request("c-2", purge(all(10))));

        // then
        assertThat(counts(purged)).contains("1 of 2 streams", "NOT_READY=1");
        assertThat(fixture.ids("a/1")).hasSize(300);
        assertThat(fixture.finish("c-1").state()).isEqualTo(CommandResult.State.DONE);
    }

    @Test
    @Tag("A-7")
    void shouldRepairAStreamThatWasQuarantinedInItsMoveAlthoughADueEventOfItChanges() {
        // given
        KeyValue<Bytes, byte[]> event = first();
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, ENOUGH_FOR_INDEXES));
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .set(PolicyField.KEEP_LAST, Limit.of(5))
                .anchor(Anchor.OCCURRED)
                .build());
        fixture.advance(10_000);
        fixture.settleFor(3);
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
        fixture.event(event("a/1", "e7").type("changed"));
        fixture.rawEvents().put(event.key, event.value);

        // when
        CommandResult result = fixture.carryOut(request("c-1", repair("a/1")));

        // then
        assertThat(result.state()).as(result.detail()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.status().parkedRecords()).isZero();
        fixture.settleFor(3);
        assertThat(fixture.ids("a/1")).hasSize(5).contains("e7");
        assertConsistent();
    }

    @Test
    void shouldRefuseToPruneAStreamThatIsQuarantinedBeforeItCouldBeCounted() {
        // given a recount that waits for a move, which fails at an event behind all that was counted
        maxAge(1_000_000);
        KeyValue<Bytes, byte[]> event = first();
        for (int i = 30; i < 300; i++) {
            fixture.event(event("a/1", "e" + i).occurredAt(1L));
        }
        fixture.send(request("c-1", repair("a/1")));
        fixture.advance(1010);
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, ENOUGH_FOR_INDEXES));
        rearrange();
        fixture.settleFor(3);
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");

        // when
        CommandResult pruned = fixture.carryOut(request("c-2", prune("a/1", 5L, null)));

        // then
        assertThat(pruned.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(pruned.detail()).contains("quarantined");
    }

    /** Damages the event and lets the sweep find that. */
    private void quarantine(KeyValue<Bytes, byte[]> event) {
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, ENOUGH_FOR_INDEXES));
        fixture.advance(10_000);
        fixture.settleFor(3);
        assertThat(fixture.status().quarantined()).containsOnlyKeys("a/1");
        assertThat(fixture.reader().usage(new StreamName("a/1")).orElseThrow().quarantine())
                .isEqualTo(reason());
    }

    private void maxAge(long ms) {
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(ms)).build());
        fixture.advance(1000);
    }

    private void rearrange() {
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .anchor(Anchor.OCCURRED)
                .build());
        fixture.advance(1000);
        fixture.settleFor(3);
    }

    private String reason() {
        return fixture.status().quarantined().get("a/1");
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }

    /** The first of the ordered events of the stream that was made first. */
    private KeyValue<Bytes, byte[]> first() {
        try (var entries = fixture.rawEvents().all()) {
            while (entries.hasNext()) {
                var entry = entries.next();
                byte[] key = entry.key.get();
                if (key[0] == ORDERED && key[4] == 1) {
                    return entry;
                }
            }
        }
        throw new AssertionError("no event of a/1");
    }

    private static Command repair(String stream) {
        return new Command.RepairStream(new StreamName(stream));
    }
}
