package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.layout.Grave;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of executions that wait beside a grave, and the order in which records come (O-10). */
@Tag("O-10")
class WaitingEndsTest {

    private static final String STREAM = "turns/1";
    private static final StreamName NAME = new StreamName(STREAM);
    private static final String DELETE = "delete";

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A record by the name that an order calls it, sent with a time that is counted from the delete. */
    private record Sent(String name, Object said, long afterMs) {}

    @Test
    @Tag("M-6")
    void shouldImportTheSameWhateverTheOrder() {
        // given
        List<Sent> records = List.of(
                new Sent("event 1", event(STREAM, "a").execution(1).build(), 10),
                new Sent("end 1", end(1, null, -5000L, 100L), 11),
                new Sent("event 2", event(STREAM, "b").execution(2).build(), 12),
                new Sent("end 2", end(2, "parent", null, null), 13),
                new Sent("end 3", end(3, null, null, null), 14));

        // then
        assertSameInAllOrders(records, order -> true, outcome -> assertThat(outcome)
                .isEqualTo("[a, b] closed, parent of parent, [1 completed from -5000 to 100,"
                        + " 2 completed from null to 13], waiting [3], rows [1, 2]"));
    }

    /** Whatever the worker of the deleted stream sends comes in its order, and at any place among the records of others. */
    @Test
    void shouldGoOnWithANewLifeWhateverTheOrder() {
        // given
        List<Sent> records = List.of(
                new Sent("old start", execution(STREAM, 1, "running"), -20),
                new Sent("old event", event(STREAM, "old").execution(1).build(), -10),
                new Sent("start", execution(STREAM, 1, "running"), 10),
                new Sent("event", event(STREAM, "new").execution(1).build(), 11),
                new Sent("zombie", execution(STREAM, 1, "completed"), 12));

        // then
        assertSameInAllOrders(
                records, order -> isInOrder(order, "old start", "old event", "zombie"), outcome -> assertThat(outcome)
                        .isEqualTo("[new] open, parent of null, [1 running from null to null], waiting [],"
                                + " rows [1]"));
    }

    @Test
    void shouldEndANewLifeByItsOwnEndWhateverTheOrder() {
        // given
        List<Sent> records = List.of(
                new Sent("old start", execution(STREAM, 1, "running"), -20),
                new Sent("start", new ExecutionUpdate(NAME, 1, "running", null, 5L, null), 10),
                new Sent("event", event(STREAM, "new").execution(1).build(), 11),
                new Sent("zombie", end(1, "late", -100L, null), 12),
                new Sent("end", end(1, "parent", 5L, null), 13));

        // then
        assertSameInAllOrders(
                records,
                order -> isInOrder(order, "start", "event", "end") && isInOrder(order, "old start", "zombie"),
                outcome -> assertThat(outcome)
                        .isEqualTo("[new] closed, parent of parent, [1 completed from 5 to 13], waiting [],"
                                + " rows [1]"));
    }

    private static boolean isInOrder(List<String> order, String... names) {
        List<String> those = new ArrayList<>(order);
        those.retainAll(List.of(names));
        return those.equals(List.of(names));
    }

    /** The last record that names a parent and takes effect names the parent, whenever its effect comes. */
    @ParameterizedTest
    @CsvSource({
        "'start 2, end 1, event 1', p1",
        "'end 1, start 2, event 1', p2",
        "'event 1, end 1, start 2', p2",
        "'start 2, event 1, end 1', p1",
        "'end 1, end 3, event 1, event 3', p3",
        "'end 1, end 3, event 3, event 1', p3",
        "'end 3, end 1, event 3, event 1', p1",
        "'end 3, end 1, event 1, event 3', p1"
    })
    @Tag("M-6")
    void shouldKeepTheParentThatWasNamedLast(String order, String parent) {
        // given
        Map<String, Sent> records = Map.of(
                "start 2", new Sent("", new ExecutionUpdate(NAME, 2, "running", name("p2"), null, null), 0),
                "end 1", new Sent("", end(1, "p1", null, null), 0),
                "end 3", new Sent("", end(3, "p3", null, null), 0),
                "event 1", new Sent("", event(STREAM, "a").execution(1).build(), 0),
                "event 3", new Sent("", event(STREAM, "c").execution(3).build(), 0));
        long deletedMs = deleted("c-1");

        // when
        List.of(order.split(", ")).forEach(name -> send(records.get(name), deletedMs));

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow().parent()).isEqualTo(name(parent));
    }

    /** A record of an execution that names no status starts nothing: neither does it end an end's waiting. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotTakeTheNamingOfAParentForAStart(boolean isFirst) {
        // given
        long deletedMs = deleted("c-1");
        Sent parent = new Sent("", new ExecutionUpdate(NAME, 1, null, name("p"), null, null), 1);
        Sent end = new Sent("", end(1, null, null, null), 2);

        // when
        send(isFirst ? parent : end, deletedMs);
        send(isFirst ? end : parent, deletedMs);

        // then
        assertThat(outcome(deletedMs))
                .isEqualTo("[] closed, parent of p, [1 completed from null to 2], waiting [], rows [1]");
    }

    @Test
    void shouldJoinTheEndsOfOneExecution() {
        // given
        long deletedMs = deleted("c-1");
        send(new Sent("", end(1, "p", -50L, null), 1), deletedMs);
        send(new Sent("", new ExecutionUpdate(NAME, 1, "failed", null, null, null), 2), deletedMs);
        send(new Sent("", new ExecutionUpdate(NAME, 1, "failed", null, null, null), 2), deletedMs);

        // when
        send(new Sent("", event(STREAM, "a").execution(1).build(), 3), deletedMs);

        // then
        assertThat(outcome(deletedMs))
                .isEqualTo("[a] closed, parent of p, [1 failed from -50 to 1], waiting [], rows [1]");
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    @Tag("M-13")
    void shouldWaitForAsLongAsTheGraveStands(long millis, boolean takesEffect) {
        // given
        long deletedMs = deleted("c-1");
        send(new Sent("", end(1, null, null, null), 1), deletedMs);

        // when
        fixture.restart();
        fixture.settle();
        fixture.advance(deletedMs + Duration.ofHours(24).toMillis() + millis - fixture.nowMs());
        fixture.event(event(STREAM, "a").execution(1));

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isEqualTo(!takesEffect);

        // when
        fixture.settleFor(3);

        // then
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).isEmpty();
        assertThat(fixture.status().graves()).isZero();
        assertThat(fixture.observer.late).hasSize(takesEffect ? 0 : 1);
        assertConsistent();
    }

    /** Whatever waits was produced before the second delete. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBringNothingOverASecondDelete(boolean isRestarted) {
        // given
        long deletedMs = deleted("c-1");
        send(new Sent("", end(1, null, null, null), 1), deletedMs);
        send(new Sent("", end(2, null, null, null), 1), deletedMs);
        send(new Sent("", event(STREAM, "a").execution(2).build(), 2), deletedMs);
        if (isRestarted) {
            fixture.restart();
            fixture.settle();
        }

        // when
        long againMs = deleted("c-2");
        send(new Sent("", event(STREAM, "b").execution(1).build(), 1), againMs);
        fixture.settle();

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isTrue();
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).isEmpty();
        assertThat(fixture.observer.late).containsExactly(LateRecord.EXECUTION);
        assertConsistent();
    }

    @Test
    void shouldLetAFixedNumberWait() {
        // given
        long deletedMs = deleted("c-1");
        for (long number = 1; number <= Grave.MOST_ENDS + 1; number++) {
            send(new Sent("", end(number, null, null, null), number), deletedMs);
        }

        // then
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all()).get(STREAM)).hasSize(Grave.MOST_ENDS);
        assertThat(fixture.reader().endsInWaiting(NAME).sentence())
                .isEqualTo("ends of executions 1, 2, 3 and 997 more wait for their events");
        assertThat(fixture.observer.late).containsExactly(LateRecord.EXECUTION);

        // when one of them comes again there is room
        send(new Sent("", end(1, null, null, null), 1), deletedMs);

        // then
        assertThat(fixture.observer.late).hasSize(1);
        assertConsistent();

        // when
        fixture.advance(Duration.ofHours(25).toMillis());
        fixture.settle();

        // then
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).isEmpty();
        assertThat(fixture.observer.late).hasSize(Grave.MOST_ENDS + 1);
        assertThat(fixture.status().graves()).isZero();
    }

    /** A slice that may delete one record must get ahead as well. */
    @Test
    @Tag("A-1")
    void shouldDropThemOneByOne() {
        // given
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        long deletedMs = deleted("c-1");
        for (long number = 1; number <= 3; number++) {
            send(new Sent("", end(number, null, null, null), number), deletedMs);
        }

        // when
        fixture.advance(Duration.ofHours(25).toMillis());
        fixture.settleFor(5);

        // then
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).isEmpty();
        assertThat(fixture.status().graves()).isZero();
        assertThat(fixture.observer.late).hasSize(3);
    }

    /** It comes by way of the internal topic, behind the event or before it. */
    @Test
    @Tag("O-21")
    void shouldWaitWhenItIsReKeyed() {
        // given
        deleted("c-1");
        byte[] other = "other".getBytes(StandardCharsets.UTF_8);

        // when
        fixture.send(other, fixture.records.execution(end(1, null, null, null)), fixture.nowMs());
        fixture.settle();
        assertThat(StoreCheck.waitingEnds(fixture.rawUsage().all())).containsExactly(Map.entry(STREAM, Set.of(1L)));
        assertThat(fixture.reader().endsInWaiting(NAME)).isEqualTo(new EndsInWaiting(1, List.of(1L)));
        fixture.event(event(STREAM, "a").execution(1));

        // then
        assertThat(fixture.reader().endsInWaiting(NAME)).isEqualTo(EndsInWaiting.NONE);
        assertThat(fixture.rekeyed).hasSize(1);
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isFalse();
    }

    @Test
    @Tag("O-20")
    void shouldTakeEffectOnAnEventThatWasParked() {
        // given
        deleted("c-1");
        byte[] key = STREAM.getBytes(StandardCharsets.UTF_8);
        fixture.records.awaited(Wait.of("schema 7"));
        Event event = event(STREAM, "a").execution(1).build();
        fixture.execution(end(1, null, null, null));
        fixture.send(key, fixture.records.bytes("schema 7", event), fixture.nowMs());
        assertThat(fixture.ids(STREAM)).isEmpty();

        // when
        fixture.records.arrived("schema 7");
        fixture.settleFor(30);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(fixture.reader().context(NAME).orElseThrow().isOpen()).isFalse();
    }

    /** A worker has ended its turn while its stream was deleted; the undo brings back the stream that it was at. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("T-2")
    @Tag("T-16")
    void shouldEndTheTurnOfAStreamThatComesBack(boolean isEndFirst) {
        // given
        fixture.execution(new ExecutionUpdate(NAME, 1, "running", name("p"), null, null));
        fixture.event(event(STREAM, "a").execution(1));
        long deletedMs = deletedAsItIs("c-1");
        if (isEndFirst) {
            send(new Sent("", execution(STREAM, 1, "completed"), 1), deletedMs);
            assertThat(fixture.reader().usage(NAME)).isEmpty();
        }

        // when
        CommandResult undone = fixture.carryOut(request("u-1", undo("c-1")));
        if (!isEndFirst) {
            send(new Sent("", execution(STREAM, 1, "completed"), 1), deletedMs);
        }
        fixture.settle();

        // then
        assertThat(undone.state()).as(undone.detail()).isEqualTo(State.DONE);
        assertThat(outcome(deletedMs))
                .isEqualTo("[a] closed, parent of p, [1 completed from null to 1], waiting [], rows [1]");
        assertThat(fixture.observer.late).isEmpty();

        // when what was produced before the delete comes at last
        send(new Sent("", event(STREAM, "b").build(), -1), deletedMs);

        // then
        assertThat(fixture.ids(STREAM)).contains("b");
        assertConsistent();
    }

    /** The grave of another delete stands. */
    @Test
    @Tag("T-16")
    void shouldLiftOnlyTheGraveOfTheDeleteThatIsUndone() {
        // given
        fixture.event(event(STREAM, "a"));
        deletedAsItIs("c-1");
        fixture.event(event(STREAM, "b"));
        long deletedMs = deletedAsItIs("c-2");

        // when
        fixture.carryOut(request("u-1", undo("c-1")));
        send(new Sent("", event(STREAM, "c").build(), -1), deletedMs);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(fixture.status().graves()).isEqualTo(1);

        // when
        fixture.carryOut(request("u-2", undo("c-2")));
        fixture.settle();
        send(new Sent("", event(STREAM, "c").build(), -1), deletedMs);

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(fixture.status().graves()).isZero();
    }

    private void assertSameInAllOrders(
            List<Sent> records, Predicate<List<String>> isPossible, Consumer<String> assertion) {
        List<Sent> all = new ArrayList<>(records);
        all.add(new Sent(DELETE, DELETE, 0));
        int[] played = new int[1];
        permute(all, 0, order -> {
            List<String> names = order.stream().map(Sent::name).toList();
            // The delete is carried out before a record can be produced behind it.
            boolean isInTime =
                    order.stream().allMatch(sent -> sent.afterMs() <= 0 || order.indexOf(sent) > names.indexOf(DELETE));
            if (isInTime && isPossible.test(names)) {
                played[0]++;
                assertion.accept(played(order));
            }
        });
        assertThat(played[0]).isGreaterThan(5);
    }

    private static <T> void permute(List<T> all, int from, Consumer<List<T>> each) {
        if (from == all.size()) {
            each.accept(List.copyOf(all));
            return;
        }
        for (int i = from; i < all.size(); i++) {
            Collections.swap(all, from, i);
            permute(all, from + 1, each);
            Collections.swap(all, from, i);
        }
    }

    private String played(List<Sent> order) {
        fixture.close();
        fixture = TopologyFixture.inMemory();
        fixture.event(event(STREAM, "first"));
        fixture.advance(10_000);
        long deletedMs = -1;
        long expectedMs = fixture.nowMs() + 1000;
        for (Sent sent : order) {
            if (sent.name().equals(DELETE)) {
                deletedMs = fixture.carryOut(request("c-1", deleteForced(STREAM)))
                        .updatedAt()
                        .toEpochMilli();
                assertThat(Math.abs(deletedMs - expectedMs)).isLessThan(2000);
                fixture.advance(1000);
            } else {
                send(sent, deletedMs < 0 ? expectedMs - 5000 : deletedMs);
            }
        }
        fixture.settle();
        fixture.emptyOut();
        assertConsistent();
        return outcome(deletedMs);
    }

    private void send(Sent sent, long deletedMs) {
        long timestampMs = deletedMs + sent.afterMs();
        if (sent.said() instanceof Event event) {
            fixture.event(event, timestampMs);
        } else {
            ExecutionUpdate update = (ExecutionUpdate) sent.said();
            Long startedAt = update.startedAt() == null ? null : (Long) (deletedMs + update.startedAt());
            Long completedAt = update.completedAt() == null ? null : (Long) (deletedMs + update.completedAt());
            fixture.execution(
                    new ExecutionUpdate(
                            NAME, update.execution(), update.status(), update.parent(), startedAt, completedAt),
                    timestampMs);
        }
    }

    private String outcome(long deletedMs) {
        var context = fixture.reader().context(NAME).orElseThrow();
        List<String> executions = context.executions().stream()
                .filter(Execution::isDeclared)
                .map(known -> known.number() + " " + known.status() + " from " + relative(known.startedAt(), deletedMs)
                        + " to " + relative(known.completedAt(), deletedMs))
                .toList();
        Set<Long> waiting = StoreCheck.waitingEnds(fixture.rawUsage().all()).getOrDefault(STREAM, Set.of());
        Set<Long> rows = new TreeSet<>();
        context.executions().stream().filter(Execution::isDeclared).forEach(known -> rows.add(known.number()));
        assertThat(fixture.executionRows).hasSize(rows.size());
        return fixture.ids(STREAM).stream().sorted().toList() + (context.isOpen() ? " open" : " closed")
                + ", parent of " + context.parent() + ", " + executions + ", waiting " + waiting + ", rows " + rows;
    }

    private static String relative(Long timeMs, long deletedMs) {
        return timeMs == null ? "null" : Long.toString(timeMs - deletedMs);
    }

    /** Deletes a stream of one event. */
    private long deleted(String commandId) {
        fixture.event(event(STREAM, "first"));
        return deletedAsItIs(commandId);
    }

    private long deletedAsItIs(String commandId) {
        fixture.advance(10_000);
        CommandResult result = fixture.carryOut(request(commandId, deleteForced(STREAM)));
        assertThat(result.state()).isEqualTo(State.DONE);
        fixture.emptyOut();
        fixture.advance(1000);
        return result.updatedAt().toEpochMilli();
    }

    private static ExecutionUpdate end(long execution, String parent, Long startedAt, Long completedAt) {
        return new ExecutionUpdate(
                NAME, execution, "completed", parent == null ? null : name(parent), startedAt, completedAt);
    }

    private static StreamName name(String name) {
        return new StreamName(name);
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
