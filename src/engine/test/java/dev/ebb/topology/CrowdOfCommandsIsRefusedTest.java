package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.namespace;
import static dev.ebb.topology.CommandFixture.pruneBulk;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static dev.ebb.topology.CommandFixture.undo;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.crowd.ReaderPlaces;
import dev.ebb.topology.observe.KnownCommands;
import dev.ebb.topology.observe.StartedCommand;
import dev.ebb.topology.observe.TaskStatus;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No caller can fill memory and time of a partition with commands: beyond the limits they are refused at once. */
@Tag("O-11")
class CrowdOfCommandsIsRefusedTest {

    private static final int BULK = 6;
    private static final int SINGLE = 8;

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1), 10_000))
                    .crowdLimits(new CrowdLimits(BULK, SINGLE))
                    .make());

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Command> bulk() {
        return Stream.of(
                erase(),
                undo("c-0"),
                sweep(Scope.ALL),
                purge(namespace("orders")),
                pruneBulk(namespace("orders"), 1L, null),
                new Command.RetryParked(null, null),
                new Command.DropParked(new StreamName("orders/1"), null, null));
    }

    @ParameterizedTest
    @MethodSource("bulk")
    void shouldRefuseEveryKindOfCommandOverManyStreamsAndItsDryRun(Command command) {
        // given: one caller may have half of the limit
        fixture.event(event("orders/1", "e"));
        neverEnd();

        // when
        fixture.send(request("real", command));
        fixture.send(dryRun("dry", command));

        // then
        assertThat(refusalOf("real")).isEqualTo(Refusal.BUSY);
        assertThat(refusalOf("dry")).isEqualTo(Refusal.BUSY);
    }

    @Test
    void shouldLeaveOthersTheOtherHalfAndRefuseAllBeyondTheWhole() {
        // given
        neverEnd();

        // when
        for (int i = 0; i < BULK; i++) {
            fixture.send(of("otto", "o-" + i, erase()));
        }
        fixture.send(of("eva", "e-0", erase()));

        // then
        assertThat(Stream.of("o-0", "o-1", "o-2", "o-3", "e-0").map(this::refusalOf))
                .containsExactly(null, null, null, Refusal.BUSY, Refusal.BUSY);
        assertThat(fixture.result("e-0").detail())
                .startsWith("partition 0 already has " + BULK + " unfinished commands over many streams");
    }

    @Test
    void shouldTakeCommandsOnSingleStreamsBesideTheCrowdUpToTheirOwnLimit() {
        // given
        fixture.event(event("orders/1", "e").completedAt(T0 - 1000));
        neverEnd();

        // when: none of them has its turn before all have come
        for (int i = 0; i <= SINGLE / 2; i++) {
            fixture.send(request("s-" + i, delete("orders/" + i)));
        }

        // then
        assertThat(refusalOf("s-" + SINGLE / 2)).isEqualTo(Refusal.BUSY);
        assertThat(fixture.finish("s-1").state()).isEqualTo(State.DONE);
        assertThat(fixture.finish("s-0").refusal()).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void shouldTakeTheSameCommandLaterUnderTheSameId() {
        // given
        fixture.event(event("orders/1", "e"));
        neverEnd();
        fixture.send(request("again", purge(namespace("orders"))));
        assertThat(refusalOf("again")).isEqualTo(Refusal.BUSY);

        // when
        fixture.copies.isEndless = false;
        fixture.finish("c-0");
        fixture.results.clear();
        fixture.send(request("again", purge(namespace("orders"))));

        // then
        assertThat(fixture.finish("again").state()).isEqualTo(State.DONE);
        assertThat(fixture.observer.refused).containsExactly("again");
    }

    @Test
    void shouldKeepNothingOfARefusedCommand() {
        // given
        neverEnd();
        int before = notes();

        // when
        for (int i = 0; i < 100; i++) {
            fixture.send(request("more-" + i, erase()));
        }

        // then
        assertThat(notes()).isEqualTo(before);
        assertThat(KnownCommands.find(fixture.reader(), "more-0")).isEmpty();
        assertThat(fixture.results.stream().filter(result -> result.refusal() == Refusal.BUSY))
                .hasSize(100);
    }

    @Test
    void shouldCountThoseFromBeforeARestart() {
        // given
        neverEnd();

        // when
        fixture.restart();
        fixture.send(request("more", erase()));

        // then
        assertThat(refusalOf("more")).isEqualTo(Refusal.BUSY);
        fixture.advance(1000);
        assertThat(fixture.status().crowd()).isEqualTo(new TaskStatus.Crowd(BULK / 2, 0));
    }

    @Test
    void shouldAnswerARepeatedCommandInsteadOfRefusingIt() {
        // given
        neverEnd();

        // when
        fixture.send(request("c-0", erase()));

        // then
        assertThat(refusalOf("c-0")).isNull();
        assertThat(KnownCommands.find(fixture.reader(), "c-0").orElseThrow().state())
                .isEqualTo(State.RUNNING);
    }

    /** The limits in threes, and none of those that were refused or have ended. */
    @Test
    @Tag("O-2")
    void shouldListTheCommandsThatRun() {
        // given
        neverEnd();
        fixture.send(request("more", erase()));

        // when
        List<StartedCommand> running = KnownCommands.running(fixture.reader(), BULK);

        // then
        assertThat(running).hasSize(BULK / 2).allSatisfy(command -> {
            assertThat(command.commandId()).startsWith("c-");
            assertThat(command.actor()).isEqualTo("anna");
        });
        assertThat(KnownCommands.running(fixture.reader(), BULK / 2)).hasSize(BULK / 2);
        assertThat(KnownCommands.running(fixture.reader(), BULK / 2 - 1)).hasSize(BULK / 2 - 1);

        // and when one of them ends
        fixture.copies.isEndless = false;
        fixture.finish("c-0");

        // then
        assertThat(KnownCommands.running(fixture.reader(), BULK))
                .extracting(StartedCommand::commandId)
                .doesNotContain("c-0", "more");
    }

    /** Each reader is a thread and a consumer: without places, a crowd of erasures makes thousands. */
    @Test
    @Tag("T-10")
    void shouldReadCopiesForAFewErasuresAtATime() {
        // given
        for (String caller : List.of("anna", "otto")) {
            for (int i = 0; i < BULK / 2; i++) {
                fixture.send(of(caller, caller + "-" + i, erase()));
            }
        }
        fixture.copies.isEndless = true;

        // when
        fixture.settleFor(10);

        // then
        assertThat(fixture.copies.open).hasSize(ReaderPlaces.OF_A_PARTITION);

        // when
        fixture.copies.isEndless = false;

        // then
        for (int i = 0; i < BULK / 2; i++) {
            assertThat(fixture.finish("anna-" + i).state()).isEqualTo(State.DONE);
            assertThat(fixture.finish("otto-" + i).state()).isEqualTo(State.DONE);
        }
        assertThat(fixture.copies.open).isEmpty();
    }

    /** Half of the limit: erasures of one caller that wait for their copies. */
    private void neverEnd() {
        fixture.copies.isEndless = true;
        for (int i = 0; i < BULK / 2; i++) {
            fixture.send(request("c-" + i, erase()));
        }
        fixture.settleFor(3);
    }

    private Refusal refusalOf(String commandId) {
        fixture.advance(0);
        CommandResult result = fixture.result(commandId);
        return result == null ? null : result.refusal();
    }

    private int notes() {
        int count = 0;
        try (var entries = fixture.rawUsage().all()) {
            while (entries.hasNext()) {
                entries.next();
                count++;
            }
        }
        return count;
    }

    static Command erase() {
        return new Command.EraseEvents(List.of(EventCondition.parse("metadata.user=42")), null, "GDPR-7", false);
    }

    private static CommandRequest of(String actor, String id, Command command) {
        return new CommandRequest(id, actor, "test", false, null, command);
    }
}
