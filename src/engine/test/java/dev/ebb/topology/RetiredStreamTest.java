package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.store.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A deleted stream while its events are still on their way into the trash (O-10, T-5). */
@Tag("O-10")
class RetiredStreamTest {

    private static final String STREAM = "orders/1";
    private static final int EVENTS = 30;

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** For builds that are wrong on purpose. */
    static void play() {
        List.<Consumer<RetiredStreamTest>>of(
                        RetiredStreamTest::shouldStoreLaterThanTheStreamBefore,
                        RetiredStreamTest::shouldStoreLaterThanTheStreamBeforeAlsoBehindAnExecution,
                        RetiredStreamTest::shouldEmptyNothingIntoAClosedTrash,
                        RetiredStreamTest::shouldUndoADeleteWhoseStreamIsNotEmptied)
                .forEach(scenario -> {
                    RetiredStreamTest test = new RetiredStreamTest();
                    try {
                        scenario.accept(test);
                    } finally {
                        test.close();
                    }
                });
    }

    /** The row of an event is known by its id and {@code storedAt}: a late tombstone must not hit that of a new one. */
    @Test
    void shouldStoreLaterThanTheStreamBefore() {
        // given
        StoreFixture store = new StoreFixture();
        store.event(event(STREAM, "a"));
        long before = store.find(STREAM, "a").storedAt();
        store.retire(STREAM);

        // when the name is used again in the same millisecond
        store.event(event(STREAM, "a"));

        // then
        assertThat(store.find(STREAM, "a").storedAt()).isEqualTo(before + 1);
    }

    @Test
    void shouldStoreLaterThanTheStreamBeforeAlsoBehindAnExecution() {
        // given
        StoreFixture store = new StoreFixture();
        store.event(event(STREAM, "a"));
        long before = store.find(STREAM, "a").storedAt();
        store.retire(STREAM);

        // when
        store.execution(STREAM, 1, "running");
        store.event(event(STREAM, "a").execution(1));

        // then
        assertThat(store.find(STREAM, "a").storedAt()).isEqualTo(before + 1);
    }

    @Test
    @Tag("T-5")
    void shouldEmptyNothingIntoAClosedTrash() {
        // given
        deleteSlowly();
        fixture.failed.trashRefused();
        int trashed = fixture.trash.size();

        // when
        fixture.settleFor(10);

        // then
        assertThat(fixture.trash).hasSize(trashed).hasSizeLessThan(EVENTS);
        assertThat(fixture.hasRetired()).isTrue();

        // when the trash is given another chance
        fixture.advance(Duration.ofMinutes(5).toMillis());
        fixture.emptyOut();

        // then
        assertThat(fixture.trash).hasSize(EVENTS);
    }

    @Test
    @Tag("T-2")
    void shouldUndoADeleteWhoseStreamIsNotEmptied() {
        // given
        deleteSlowly();

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(Objects.requireNonNull(Outcomes.undone(result)).events()).isEqualTo(EVENTS);
        assertThat(fixture.ids(STREAM)).hasSize(EVENTS);
    }

    /** Deletes a stream which is then not empty yet. */
    private void deleteSlowly() {
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int i = 0; i < EVENTS; i++) {
            fixture.event(event(STREAM, "e" + i));
        }
        fixture.carryOutAtOnce(request("c-1", delete(STREAM)));
        assertThat(fixture.hasRetired()).isTrue();
    }
}
