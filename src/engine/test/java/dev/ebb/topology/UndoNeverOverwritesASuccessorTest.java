package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.EventBuilder;
import dev.ebb.store.StoreCheck;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that come back beside those of a later stream of their name: none takes the place of another (T-2). */
@Tag("T-2")
class UndoNeverOverwritesASuccessorTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = 24 * HOUR_MS;
    private static final String STREAM = "orders/1";
    private static final StreamName NAME = new StreamName(STREAM);
    private static final String[] ALL = {"old0", "old1", "old2", "new0", "new1", "new2"};

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** For builds that are wrong on purpose. */
    static void play() {
        UndoNeverOverwritesASuccessorTest test = new UndoNeverOverwritesASuccessorTest();
        try {
            test.shouldKeepBothLivesWithOneTimeOfOccurrence();
        } finally {
            test.close();
        }
    }

    @Test
    void shouldKeepBothLivesWithOneTimeOfOccurrence() {
        // given
        fixture.policy(anchored(Anchor.OCCURRED));
        sendThree("old", ofOneTime());
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.advance(HOUR_MS);
        sendThree("new", ofOneTime());

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(back(result)).isEqualTo(3);
        assertThat(fixture.ids(STREAM)).containsExactly(ALL);
        assertConsistent(6);
    }

    /** An execution that is completed gives all its events one anchor. */
    @Test
    void shouldKeepBothLivesOfOneExecution() {
        // given
        fixture.policy(anchored(Anchor.COMPLETED));
        sendThree("old", event -> event.execution(1));
        fixture.execution(execution(STREAM, 1, "completed"));
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.advance(HOUR_MS);
        sendThree("new", event -> event.execution(1));

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(back(result)).isEqualTo(3);
        assertThat(fixture.ids(STREAM)).containsExactly(ALL);
        assertConsistent(6);
    }

    /** A stream that a sweep has emptied leaves no trace of its own. */
    @Test
    void shouldKeepBothLivesOfAStreamThatAPolicyEmptied() {
        // given
        fixture.policy(anchored(Anchor.OCCURRED));
        fixture.settle();
        sendThree("old", ofOneTime());
        fixture.advance(2 * DAY_MS);
        fixture.policy(RetentionPolicy.of(Scope.stream(STREAM))
                .maxAge(Limit.of(HOUR_MS))
                .build());
        fixture.settle();
        assertThat(fixture.ids(STREAM)).isEmpty();
        fixture.removePolicy(Scope.stream(STREAM));
        sendThree("new", ofOneTime());

        // when
        CommandResult result = fixture.carryOut(request("u-1", undoPolicy("stream:" + STREAM)));

        // then
        assertThat(back(result)).isEqualTo(3);
        assertThat(fixture.ids(STREAM)).containsExactly(ALL);
        assertConsistent(6);
    }

    @Test
    @Tag("I-3")
    void shouldCountEachEventOnceAfterAnUpsertOfAnOldOne() {
        // given
        fixture.policy(anchored(Anchor.OCCURRED));
        sendThree("old", ofOneTime());
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        sendThree("new", ofOneTime());
        fixture.carryOut(request("u-1", undo("c-1")));

        // when
        fixture.event(ofOneTime().apply(event(STREAM, "old1").payload(new byte[] {7})));
        fixture.event(ofOneTime().apply(event(STREAM, "new1").payload(new byte[] {8, 8})));

        // then
        assertThat(fixture.ids(STREAM)).containsExactly(ALL);
        assertConsistent(6);
    }

    /** Each life has its own numbers, also after a restart and after many lives. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldKeepTheOrderOfSeveralLives(int lives) {
        // given
        fixture.policy(anchored(Anchor.OCCURRED));
        String[] expected = new String[lives];
        for (int life = 0; life < lives; life++) {
            expected[life] = "life" + life;
            fixture.event(ofOneTime().apply(event(STREAM, expected[life])));
            if (life < lives - 1) {
                fixture.carryOut(request("c-" + life, deleteForced(STREAM)));
                fixture.restart();
            }
        }

        // when they come back in any order
        for (int life = lives - 2; life >= 0; life--) {
            assertThat(back(fixture.carryOut(request("u-" + life, undo("c-" + life)))))
                    .isEqualTo(1);
        }

        // then
        assertThat(fixture.ids(STREAM)).containsExactly(expected);
        assertConsistent(lives);
    }

    /** An event that comes back twice over several lives still has its first place. */
    @Test
    void shouldKeepThePlaceOverSeveralReturns() {
        // given
        fixture.policy(anchored(Anchor.OCCURRED));
        sendThree("old", ofOneTime());
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.carryOut(request("u-1", undo("c-1")));
        sendThree("new", ofOneTime());
        fixture.carryOut(request("c-2", deleteForced(STREAM)));
        fixture.event(ofOneTime().apply(event(STREAM, "last")));

        // when
        CommandResult result = fixture.carryOut(request("u-2", undo("c-2")));

        // then
        assertThat(back(result)).isEqualTo(6);
        assertThat(fixture.ids(STREAM)).containsExactly("old0", "old1", "old2", "new0", "new1", "new2", "last");
        assertConsistent(7);
    }

    /** Deletes of single events, too, may empty a stream. */
    @ParameterizedTest
    @EnumSource(Emptying.class)
    void shouldKeepBothLivesHoweverTheFirstOneEnded(Emptying emptying) {
        // given
        fixture.policy(anchored(Anchor.OCCURRED));
        fixture.event(ofOneTime().apply(event(STREAM, "old0")));
        fixture.carryOut(request("c-1", emptying.command));
        assertThat(fixture.ids(STREAM)).isEmpty();
        fixture.event(ofOneTime().apply(event(STREAM, "new0")));

        // when
        CommandResult result = fixture.carryOut(request("u-1", undo("c-1")));

        // then
        assertThat(back(result)).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactly("old0", "new0");
        assertConsistent(2);
    }

    /**
     * A deleted stream is still being emptied when the same id goes from the stream that has its name now: the newest
     * form comes back, although its record is not the last in the trash.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void shouldBringBackTheNewestFormWhileTheStreamBeforeItIsEmptied(int deletes) {
        // given
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), deletes));
        fixture.settle();
        for (int i = 0; i < 20; i++) {
            fixture.event(event(STREAM, "e" + i).execution(1).payload(new byte[] {1}));
        }
        fixture.execution(execution(STREAM, 1, "completed", fixture.nowMs()));
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.event(event(STREAM, "e19").execution(1).payload(new byte[] {2}));
        fixture.execution(execution(STREAM, 1, "failed", fixture.nowMs()));

        // when
        fixture.carryOut(request("c-2", CommandFixture.deleteEvent(STREAM, "e19", true)));
        assertThat(fixture.hasRetired()).isEqualTo(deletes < 100);
        fixture.emptyOut();
        CommandResult result = fixture.carryOut(request("u-1", undoSince(TopologyFixture.T0)));

        // then
        assertThat(back(result)).isEqualTo(20);
        assertThat(fixture.stored())
                .filteredOn(stored -> stored.event().id().value().equals("e19"))
                .singleElement()
                .satisfies(stored -> assertThat(stored.event().payload()).containsExactly(2));
        assertConsistent(20);
    }

    /** An execution that the later stream has lost comes back as it was there. */
    @Test
    void shouldBringBackTheNewestExecutionWhileTheStreamBeforeItIsEmptied() {
        // given
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1));
        fixture.settle();
        sendThree("old", event -> event.execution(1));
        fixture.execution(execution(STREAM, 1, "completed", fixture.nowMs()));
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.event(event(STREAM, "new0").execution(1));
        fixture.execution(execution(STREAM, 1, "failed", fixture.nowMs()));
        fixture.execution(execution(STREAM, 2, "running"));
        fixture.carryOut(request("c-2", CommandFixture.prune(STREAM, 1L, null)));
        assertThat(fixture.hasRetired()).isTrue();
        fixture.emptyOut();

        // when
        CommandResult result = fixture.carryOut(request("u-1", undoSince(TopologyFixture.T0)));

        // then
        assertThat(back(result)).isEqualTo(4);
        assertThat(fixture.reader().context(NAME).orElseThrow().executions())
                .extracting(Execution::status)
                .containsExactly("failed", "running");
    }

    /** The ways in which a command may end a stream. */
    private enum Emptying {
        DELETE(deleteForced(STREAM)),
        DELETE_EVENT(CommandFixture.deleteEvent(STREAM, "old0", false)),
        PURGE(CommandFixture.purge(CommandFixture.named(STREAM)));

        private final Command command;

        Emptying(Command command) {
            this.command = command;
        }
    }

    /** Change of an event before it is sent. */
    private interface Form {
        EventBuilder apply(EventBuilder event);
    }

    private static Form ofOneTime() {
        return event -> event.occurredAt(TopologyFixture.T0 - HOUR_MS);
    }

    private void sendThree(String prefix, Form form) {
        for (int i = 0; i < 3; i++) {
            fixture.event(form.apply(event(STREAM, prefix + i)));
        }
    }

    private static RetentionPolicy anchored(Anchor anchor) {
        return RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.ANCHOR, anchor)
                .maxAge(Limit.of(30 * DAY_MS))
                .build();
    }

    private static Command undoPolicy(String policy) {
        return new Command.UndoDeletes(new UndoFilter(null, null, policy, null, null, null, null, null), null);
    }

    private static Command undoSince(long ms) {
        return new Command.UndoDeletes(new UndoFilter(null, null, null, null, ms, null, null, null), null);
    }

    private static long back(CommandResult result) {
        assertThat(result.refusal()).as(result.detail()).isNull();
        return Objects.requireNonNull(Outcomes.undone(result)).events();
    }

    /** Usage equals a recount (I-3), and each event has a row. */
    private void assertConsistent(int events) {
        fixture.emptyOut();
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
        assertThat(fixture.reader().usage(NAME))
                .hasValueSatisfying(usage -> assertThat(usage.events()).isEqualTo(events));
        assertThat(fixture.mirror).hasSize(events);
    }
}
