package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.named;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.pruneBulk;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.setTtl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.StoreProbe;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands on one stream take effect in the order in which they came, over restarts, revivals and rebalances. In each
 * form, the ids of the commands are in another order.
 */
@Tag("O-9")
class CommandsKeepTheirOrderOverARestartTest {

    private static final String FIRST = "z-first";
    private static final String SECOND = "m-second";
    private static final String THIRD = "a-third";
    private static final long LONG_MS = Duration.ofHours(10).toMillis();
    private static final long SHORT_MS = Duration.ofHours(1).toMillis();

    /** Slices end with each delete. */
    private static final TopologySettings SMALL = TopologyFixture.settings(OptionalLong.of(1), 1);

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSetTheTtlThatWasAskedForLast(boolean restarts) {
        // given
        fixture.event(event("s", "e"));
        fixture.send(request(FIRST, setTtl("s", "e", LONG_MS)));
        fixture.send(request(SECOND, setTtl("s", "e", LONG_MS * 2)));
        fixture.send(request(THIRD, setTtl("s", "e", SHORT_MS)));

        // when
        restartIf(restarts);
        fixture.finish(THIRD);

        // then
        assertThat(ttlMs()).isBetween(SHORT_MS - 1000, SHORT_MS);
        assertThat(ends()).containsExactly(FIRST, SECOND, THIRD);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFindNothingBehindADelete(boolean restarts) {
        // given
        fixture.event(event("s", "e"));
        fixture.send(request(FIRST, deleteForced("s")));
        fixture.send(request(SECOND, setTtl("s", "e", LONG_MS)));
        fixture.send(request(THIRD, deleteEvent("s", "e", true)));

        // when
        restartIf(restarts);

        // then
        assertDone(FIRST);
        assertNotFound(SECOND);
        assertNotFound(THIRD);
        assertThat(ends()).containsExactly(FIRST, SECOND, THIRD);
    }

    /** No stream is left to prune, which is no failure: the same prune a moment later says so, too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-10")
    void shouldPruneNothingBehindADelete(boolean restarts) {
        // given
        fixture.event(event("s", "e"));
        fixture.send(request(FIRST, deleteForced("s")));
        fixture.send(request(SECOND, prune("s", 1L, null)));
        fixture.send(request(THIRD, deleteForced("s")));

        // when
        restartIf(restarts);

        // then
        assertDone(FIRST);
        assertThat(assertDone(SECOND).outcome().deletions().eventsDeleted()).isZero();
        assertNotFound(THIRD);
        assertThat(ends()).containsExactly(FIRST, SECOND, THIRD);
    }

    /** A command waits for the stream that it is on, not for all others of a share. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void shouldNotWaitForTheOtherStreamsOfAShare(boolean isDryRun, boolean restarts) {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(SMALL);
        for (String stream : List.of("a", "b", "c")) {
            IntStream.range(0, 20).forEach(i -> fixture.event(event(stream, "e" + i)));
        }
        Command bulk = pruneBulk(named("a", "b", "c"), 1L, null);
        fixture.send(isDryRun ? dryRun(FIRST, bulk) : request(FIRST, bulk));
        for (int i = 0; i < 100 && !hasShare(FIRST); i++) {
            fixture.advance(100);
        }
        assertThat(hasShare(FIRST)).isTrue();
        fixture.send(request(SECOND, setTtl("c", "e19", LONG_MS)));
        fixture.send(request(THIRD, setTtl("a", "e19", LONG_MS)));

        // when: the share has many slices to go
        restartIf(restarts);
        for (int i = 0; i < 1000 && ends().isEmpty(); i++) {
            fixture.advance(100);
        }

        // then
        assertThat(ends()).hasSize(1).isSubsetOf(SECOND, THIRD);
        assertThat(hasShare(FIRST)).isTrue();
        assertDone(SECOND);
        assertDone(THIRD);
        assertThat(assertDone(FIRST).outcome().deletions().eventsDeleted()).isEqualTo(57);
    }

    private boolean hasShare(String commandId) {
        try (var notes = fixture.rawUsage().all()) {
            while (notes.hasNext()) {
                if (("streams/" + commandId).equals(StoreProbe.pendingOf(notes.next().key))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The audit names the deletes in the order in which they were asked for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-3")
    void shouldAuditDeletesInTheOrderOfTheirCommands(boolean restarts) {
        // given
        IntStream.range(0, 3).forEach(i -> fixture.event(event("s", "e" + i)));
        fixture.send(request(FIRST, deleteEvent("s", "e2", false)));
        fixture.send(request(SECOND, deleteEvent("s", "e1", false)));
        fixture.send(request(THIRD, deleteEvent("s", "e0", false)));

        // when
        restartIf(restarts);
        fixture.finish(THIRD);

        // then
        assertThat(fixture.audits).extracting(AuditRecord::commandId).containsExactly(FIRST, SECOND, THIRD);
    }

    /** A prune in slices goes on over each restart; what comes behind it finds what it has left. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-11")
    void shouldGoOnWithAPruneBeforeWhatCameBehindIt(boolean restarts) {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(SMALL);
        IntStream.range(0, 6).forEach(i -> fixture.event(event("s", "e" + i)));
        fixture.send(request(FIRST, prune("s", 1L, null)));
        fixture.advance(1);
        fixture.send(request(SECOND, deleteEvent("s", "e4", false)));
        fixture.send(request(THIRD, setTtl("s", "e5", LONG_MS)));

        // when
        for (int i = 0; i < 10; i++) {
            restartIf(restarts);
            fixture.advance(1);
        }

        // then
        assertThat(assertDone(FIRST).outcome().deletions().eventsDeleted()).isEqualTo(5);
        assertNotFound(SECOND);
        assertDone(THIRD);
        assertThat(fixture.ids("s")).containsExactly("e5");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-20")
    void shouldKeepTheOrderOfCommandsThatAreParkedBehindARecord(boolean restarts) {
        // given an update that cannot be read yet, and commands behind it
        fixture.event(event("s", "e"));
        fixture.records.awaited(Wait.of("schema 9"));
        EventUpdate update = CommandFixture.update("s", "e", "completed");
        fixture.send(bytes("s"), fixture.records.bytes("schema 9", update), fixture.nowMs());
        fixture.send(request(FIRST, setTtl("s", "e", LONG_MS)));
        fixture.send(request(SECOND, deleteEvent("s", "e", false)));
        fixture.send(request(THIRD, setTtl("s", "e", SHORT_MS)));
        fixture.advance(1000);
        restartIf(restarts);
        assertThat(ends()).isEmpty();

        // when
        fixture.records.arrived("schema 9");

        // then
        assertDone(FIRST);
        assertDone(SECOND);
        assertNotFound(THIRD);
        assertThat(ends()).containsExactly(FIRST, SECOND, THIRD);
    }

    /** Read as none, it would be carried out by policies that its sender knows to have been replaced. */
    @Test
    @Tag("T-3")
    void shouldRefuseACommandOfWhichThePoliciesItWaitsForCannotBeRead() {
        // given
        fixture.event(event("s", "e"));
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.KNOWN_POLICIES, "12x");

        // when
        byte[] command = fixture.records.command(request(FIRST, deleteEvent("s", "e", false)));
        fixture.pipe(TopologyFixture.TOPICS.commands(), bytes("s"), command, headers, 0);
        fixture.advance(1000);

        // then
        assertThat(fixture.ids("s")).containsExactly("e");
        assertThat(fixture.results).last().satisfies(result -> {
            assertThat(result.refusal()).isEqualTo(Refusal.BAD_COMMAND);
            assertThat(result.detail()).isEqualTo("the header ebb-known-policies must be a number, at least 0: '12x'");
        });
    }

    /** Its sender has seen policies that are not in force here yet; what came behind it waits as well. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-3")
    void shouldWaitBehindACommandThatWaitsForPolicies(boolean restarts) {
        // given
        fixture.event(event("s", "e"));
        fixture.event(event("t", "e"));
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.KNOWN_POLICIES, fixture.view().reflectedOffset() + 1);
        byte[] first = fixture.records.command(request(FIRST, setTtl("s", "e", LONG_MS)));
        fixture.pipe(TopologyFixture.TOPICS.commands(), bytes("s"), first, headers, 0);
        fixture.send(request(SECOND, deleteEvent("s", "e", false)));
        fixture.send(request(THIRD, deleteEvent("t", "e", false)));

        // when
        fixture.advance(1000);
        restartIf(restarts);
        fixture.advance(1000);

        // then only what is about another stream is done
        assertThat(ends()).containsExactly(THIRD);

        // when
        fixture.policy(RetentionPolicy.of(Scope.namespace("other"))
                .maxAge(Limit.of(LONG_MS))
                .build());

        // then
        assertDone(FIRST);
        assertDone(SECOND);
        assertThat(ends()).containsExactly(THIRD, FIRST, SECOND);
    }

    /** The part of a purge comes to a stream when its own partition gets it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDeleteAnEventBehindThePurgeOfItsStream(boolean restarts) {
        // given a purge that has come to all partitions, and deletes of events behind it
        PartitionsFixture partitions = new PartitionsFixture(3, SMALL);
        String[] names = IntStream.range(0, 3)
                .mapToObj(partition -> partitions.nameIn(partition, "s"))
                .toArray(String[]::new);
        for (String name : names) {
            partitions.event(event(name, "e"));
        }
        partitions.send(request(FIRST, purge(named(names))), 1);
        for (int i = 0; i < 100 && !hasSplit(partitions); i++) {
            partitions.tick();
        }
        for (int i = 0; i < names.length; i++) {
            partitions.send(request("a-" + i, deleteEvent(names[i], "e", true)), i);
        }

        // when
        reviveIf(restarts, partitions);

        // then
        assertThat(partitions.finish(FIRST).outcome().deletions().streamsDeleted())
                .isEqualTo(3);
        for (int i = 0; i < names.length; i++) {
            assertThat(partitions.finish("a-" + i).refusal()).isEqualTo(Refusal.NOT_FOUND);
        }
    }

    private static boolean hasSplit(PartitionsFixture partitions) {
        return partitions.tasks.stream()
                .flatMap(task -> task.commands().stream())
                .anyMatch(record -> partitions.records().object(record.value()) instanceof Errand errand
                        && errand.step() == Errand.Step.CARRY_OUT);
    }

    /** The delete travels along the chain of parents; what came behind it waits for its return. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-12")
    void shouldWaitBehindADeleteThatAsksAncestors(boolean restarts) {
        // given
        PartitionsFixture partitions = new PartitionsFixture(3, SMALL);
        String stream = partitions.nameIn(0, "child");
        String parent = partitions.nameIn(1, "parent");
        String grandparent = partitions.nameIn(2, "grandparent");
        partitions.execution(execution(grandparent, 1, "completed"));
        partitions.execution(child(parent, grandparent, "completed"));
        partitions.execution(child(stream, parent, "completed"));
        partitions.event(event(stream, "e"));
        partitions.send(request(FIRST, delete(stream)), 0);
        partitions.send(request(SECOND, setTtl(stream, "e", LONG_MS)), 0);
        partitions.send(request(THIRD, deleteEvent(stream, "e", true)), 0);

        // when
        for (int i = 0; i < 4; i++) {
            reviveIf(restarts, partitions);
            partitions.tick();
        }

        // then
        assertThat(partitions.finish(FIRST).state()).isEqualTo(CommandResult.State.DONE);
        assertThat(partitions.finish(SECOND).refusal()).isEqualTo(Refusal.NOT_FOUND);
        assertThat(partitions.finish(THIRD).refusal()).isEqualTo(Refusal.NOT_FOUND);
    }

    /** The partition goes to another instance with its state. */
    @Test
    @Tag("O-11")
    void shouldKeepTheOrderOnAnotherInstance() {
        // given
        TestRecords records = new TestRecords();
        Topics topics = new Topics("ebb.", 1);
        TaskFixture task = new TaskFixture(topics, 0, records, SMALL);
        task.process(topics.events(), bytes("s"), event("s", "e").build());
        for (Command command : List.of(setTtl("s", "e", LONG_MS), deleteEvent("s", "e", true), deleteForced("s"))) {
            String id = command.verb().equals("delete") ? THIRD : command instanceof Command.SetTtl ? FIRST : SECOND;
            task.process(topics.commands(), bytes("s"), records.bytes(request(id, command)));
        }

        // when
        TaskFixture other = task.onAnotherInstance(SMALL);
        other.init();
        for (int i = 1; i < 10; i++) {
            other.tick(TopologyFixture.T0 + i * 100);
        }

        // then
        assertThat(other.results().stream().filter(CommandResult::isFinal))
                .extracting(CommandResult::commandId)
                .containsExactly(FIRST, SECOND, THIRD);
    }

    /**
     * Until the policies are there all records wait, and those of each key are taken up by themselves. The share of a purge has another key
     * than the commands on its stream, and their order is that of the topic.
     */
    @Test
    @Tag("O-20")
    void shouldKeepTheOrderOfCommandsThatWaitUnderSeveralKeys() {
        // given a revived task, which does one step in each slice
        TestRecords records = new TestRecords();
        Topics topics = new Topics("ebb.", 1);
        TaskFixture task = new TaskFixture(topics, 0, records, SMALL, new ThreadSlices(1, Duration.ZERO));
        task.process(topics.events(), bytes("s"), event("s", "e").build());
        task.catchUp.policiesTarget = CatchUp.UNKNOWN;
        task.init();

        // when
        task.process(topics.commands(), bytes("share"), records.bytes(request(THIRD, setTtl("share", "e", SHORT_MS))));
        var order = new CarryOut(request(FIRST, purge(named("s"))), List.of("s"), false, 1, null, PolicyEdition.NONE);
        var search = new Gather(request(FIRST, purge(named("s"))), null, 1);
        Errand gather = new Errand(FIRST, Errand.Step.GATHER, 0, JsonState.write(search));
        Errand share = new Errand(FIRST, Errand.Step.CARRY_OUT, 0, JsonState.write(order));
        task.process(topics.commands(), bytes("share"), records.bytes(gather));
        task.process(topics.commands(), bytes("share"), records.bytes(share));
        task.process(topics.commands(), bytes("s"), records.bytes(request(SECOND, setTtl("s", "e", SHORT_MS))));
        task.tick(TopologyFixture.T0 + 1);
        assertThat(task.commands()).isEmpty();
        task.catchUp.policiesTarget = -1;
        for (int i = 2; i < 20; i++) {
            task.tick(TopologyFixture.T0 + i);
        }

        // then
        assertThat(task.stored("s")).isEmpty();
        assertThat(task.results().stream().filter(CommandResult::isFinal))
                .extracting(CommandResult::commandId, CommandResult::refusal)
                .containsExactlyInAnyOrder(tuple(THIRD, Refusal.NOT_FOUND), tuple(SECOND, Refusal.NOT_FOUND));
    }

    /**
     * Commands behind a delete came for the stream that is gone: they change nothing in a new one of its name, although
     * it comes before their turn, and although the delete was another instance's.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-10")
    void shouldLeaveAStreamAloneThatCameBehindTheDeleteBeforeIt(boolean restarts) {
        // given a delete and commands behind it, with one of them in each slice
        TestRecords records = new TestRecords();
        Topics topics = new Topics("ebb.", 1);
        TaskFixture task = new TaskFixture(topics, 0, records, SMALL, new ThreadSlices(1, Duration.ZERO));
        task.process(topics.events(), bytes("s"), event("s", "e").build());
        task.process(topics.commands(), bytes("s"), records.bytes(request(FIRST, deleteForced("s"))));
        task.process(topics.commands(), bytes("s"), records.bytes(request(SECOND, setTtl("s", "e", SHORT_MS))));
        task.process(topics.commands(), bytes("s"), records.bytes(request(THIRD, deleteEvent("s", "e", true))));
        for (int i = 1; task.stored("s").size() == 1; i++) {
            assertThat(i).isLessThan(100);
            task.tick(TopologyFixture.T0 + i);
        }
        assertThat(ended(task)).containsExactly(FIRST);

        // when the name is used again in the same millisecond, by the clock of the same or of another instance
        TaskFixture next = restarts ? task.onAnotherInstance(SMALL) : task;
        if (restarts) {
            next.init();
        }
        next.process(topics.events(), bytes("s"), records.bytes(event("s", "e").build()), TopologyFixture.T0 + 100);
        for (int i = 1; i < 10; i++) {
            next.tick(TopologyFixture.T0 + i * 100);
        }
        next.process(topics.commands(), bytes("s"), records.bytes(request("later", setTtl("s", "e", LONG_MS))));
        next.tick(TopologyFixture.T0 + 2000);

        // then
        List<CommandResult> results =
                next.results().stream().filter(CommandResult::isFinal).toList();
        assertThat(results.subList(results.size() - 3, results.size()))
                .extracting(CommandResult::commandId, CommandResult::refusal)
                .containsExactly(
                        tuple(SECOND, Refusal.NOT_FOUND), tuple(THIRD, Refusal.NOT_FOUND), tuple("later", null));
        assertThat(next.stored("s")).hasSize(1);
    }

    /**
     * The other way round, a command behind a delete acts on the new stream, although by the clock of its instance it came
     * before the delete: the delete was the work of an instance whose clock was ahead.
     */
    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, 3_600_000})
    @Tag("O-10")
    void shouldTakeTheNewStreamForACommandThatCameBehindTheDelete(long aheadMs) {
        // given
        TestRecords records = new TestRecords();
        Topics topics = new Topics("ebb.", 1);
        TaskFixture ahead = new TaskFixture(topics, 0, records, SMALL);
        ahead.process(topics.events(), bytes("s"), event("s", "e").build());
        ahead.process(topics.commands(), bytes("s"), records.bytes(request(FIRST, deleteForced("s"))));
        long deletedMs = TopologyFixture.T0 + 10 + aheadMs;
        ahead.tick(deletedMs);
        assertThat(ended(ahead)).containsExactly(FIRST);

        // when
        TaskFixture next = ahead.onAnotherInstance(SMALL);
        next.init();
        next.tick(TopologyFixture.T0 + 10);
        next.process(topics.events(), bytes("s"), records.bytes(event("s", "e").build()), deletedMs);
        next.process(topics.commands(), bytes("s"), records.bytes(request(SECOND, setTtl("s", "e", SHORT_MS))));
        next.process(topics.commands(), bytes("s"), records.bytes(request(THIRD, deleteEvent("s", "e", true))));
        next.tick(TopologyFixture.T0 + 11);

        // then
        assertThat(next.results().stream().filter(CommandResult::isFinal))
                .extracting(CommandResult::commandId, CommandResult::refusal)
                .containsExactly(tuple(SECOND, null), tuple(THIRD, null));
    }

    private static List<String> ended(TaskFixture task) {
        return task.results().stream()
                .filter(CommandResult::isFinal)
                .map(CommandResult::commandId)
                .toList();
    }

    private void restartIf(boolean restarts) {
        if (restarts) {
            fixture.restart();
        }
    }

    private static void reviveIf(boolean restarts, PartitionsFixture partitions) {
        if (restarts) {
            partitions.tasks.forEach(TaskFixture::init);
        }
    }

    private CommandResult assertDone(String commandId) {
        CommandResult result = fixture.finish(commandId);
        assertThat(result.state()).as(result.toString()).isEqualTo(CommandResult.State.DONE);
        return result;
    }

    private void assertNotFound(String commandId) {
        assertThat(fixture.finish(commandId).refusal()).isEqualTo(Refusal.NOT_FOUND);
    }

    /** Commands in the order of their results. */
    private List<String> ends() {
        return fixture.results.stream()
                .filter(CommandResult::isFinal)
                .map(CommandResult::commandId)
                .toList();
    }

    private long ttlMs() {
        StoredEvent stored = fixture.stored().get(0);
        return stored.event().ttl().expiresAt() - fixture.nowMs();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
