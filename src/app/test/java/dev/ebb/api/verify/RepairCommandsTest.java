package dev.ebb.api.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.verify.Repairs.Repaired;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.TooManyCommandsException;
import dev.ebb.port.UnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A repair of many rows goes on where a single command finds no room, or its partition moves. */
@Tag("A-15")
@Timeout(30)
class RepairCommandsTest {

    private final Desk desk = new Desk();
    private final List<String> waits = new ArrayList<>();
    private Duration slept = Duration.ZERO;
    private final RepairCommands repairs = new RepairCommands(desk, "eva", "why", time -> slept = slept.plus(time));

    @Test
    void shouldSendACommandAgainUnderItsIdOnceThereIsRoom() {
        // given
        desk.answers.add(() -> refused(Refusal.BUSY, "the partition is full"));
        desk.answers.add(() -> refused(Refusal.BUSY, "the partition is full"));

        // then
        assertThat(repair()).isEqualTo(Repaired.NOTHING);
        assertThat(desk.sent).hasSize(3);
        assertThat(desk.sent.stream().map(CommandRequest::commandId).distinct()).hasSize(1);
        assertThat(waits).containsExactly("the partition is full", "the partition is full");
        assertThat(slept).isEqualTo(Duration.ofSeconds(1 + 2));
    }

    @Test
    void shouldWaitWhileTheInstanceTurnsCommandsAway() {
        // given
        desk.answers.add(() -> {
            throw new TooManyCommandsException("too many");
        });

        // then
        assertThat(repair()).isEqualTo(Repaired.NOTHING);
        assertThat(waits).containsExactly("too many");
    }

    /** A refusal of that kind is the result of the command for good. */
    @Test
    void shouldSendAnotherCommandIfTheStreamWasNotReady() {
        // given
        desk.answers.add(() -> refused(Refusal.NOT_READY, "it moves"));

        // then
        assertThat(repair()).isEqualTo(Repaired.NOTHING);
        assertThat(desk.sent.stream().map(CommandRequest::commandId).distinct()).hasSize(2);
    }

    @Test
    void shouldWaitWhileThePartitionMoves() {
        // given
        desk.answers.add(() -> {
            throw new NotReadyException("partition 3 restores", Duration.ofSeconds(1));
        });

        // then
        assertThat(repair()).isEqualTo(Repaired.NOTHING);
        assertThat(waits).containsExactly("partition 3 restores");
    }

    /** Each submission is a record on the topic of commands, so a command that is under way is sent once. */
    @Test
    void shouldNotSendACommandAgainWhoseResultCannotBeReadForAWhile() {
        // given
        desk.looks.addAll(Collections.nCopies(8, new NotReadyException("partition 3 restores", Duration.ofSeconds(1))));
        desk.looks.add(new UnavailableException("the instance is away", new IllegalStateException()));

        // then
        assertThat(repair()).isEqualTo(Repaired.NOTHING);
        assertThat(desk.sent).hasSize(1);
        assertThat(waits).contains("partition 3 restores", "the instance is away");
        assertThat(slept).as("1, 2, 4, 8, 16, then 30 s each").isEqualTo(Duration.ofSeconds(31 + 4 * 30));
    }

    @Test
    void shouldSendItAgainOnceWhereItsResultCannotBeReadForLong() {
        // given
        desk.looks.addAll(Collections.nCopies(1000, new NotReadyException("it restores", Duration.ofSeconds(1))));

        // then
        assertThatThrownBy(this::repair)
                .isInstanceOf(NotReadyException.class)
                .hasMessageContaining("nothing is heard of the command");
        assertThat(desk.sent).hasSize(2);
        assertThat(desk.sent.stream().map(CommandRequest::commandId).distinct()).hasSize(1);
    }

    /** A crowd that lasts for minutes is not asked each second. */
    @Test
    void shouldTryLessAndLessOften() {
        // given
        for (int i = 0; i < 10_000; i++) {
            desk.answers.add(() -> {
                throw new NotReadyException("partition 3 restores", Duration.ofSeconds(1));
            });
        }

        // then
        assertThatThrownBy(this::repair).hasMessageContaining("partition 3 restores");
        assertThat(desk.sent).hasSizeLessThan(30);
        assertThat(slept).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void shouldNotWaitForEver() {
        // given
        for (int i = 0; i < 10_000; i++) {
            desk.answers.add(() -> refused(Refusal.BUSY, "the partition is full"));
        }

        // then
        assertThatThrownBy(this::repair)
                .isInstanceOf(NotReadyException.class)
                .hasMessageContaining("the partition is full");
        assertThat(slept).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void shouldNotWaitForEverForACommandOfWhichNothingIsHeard() {
        // given
        for (int i = 0; i < 10_000; i++) {
            desk.answers.add(() -> result(State.RUNNING, null, "sent"));
        }

        // then
        assertThatThrownBy(this::repair)
                .isInstanceOf(NotReadyException.class)
                .hasMessageContaining("nothing is heard of the command");
        assertThat(desk.sent).hasSize(2);
        assertThat(waits).contains("sent");
    }

    @Test
    void shouldEndOnARefusalThatNoWaitHeals() {
        // given
        desk.answers.add(() -> refused(Refusal.HELD, "case 7"));

        // then
        assertThatThrownBy(this::repair).hasMessageContaining("case 7");
        assertThat(desk.sent).hasSize(1);
    }

    private Repaired repair() {
        return repairs.repair("s", List.of(), List.of(1L), waits::add);
    }

    private static CommandResult refused(Refusal refusal, String detail) {
        return result(State.REFUSED, refusal, detail);
    }

    private static CommandResult result(State state, Refusal refusal, String detail) {
        return new CommandResult("c", "repair", state, refusal, detail, false, new Outcome.Repaired(0, 0), 1, "");
    }

    private interface Answer {
        CommandResult give();
    }

    /** Gives one answer after the other; the last one is that all is done. */
    private static final class Desk implements CommandDesk {

        final Deque<Answer> answers = new ArrayDeque<>();
        final List<CommandRequest> sent = new ArrayList<>();

        /** What keeps the desk from looking for the result, one look after the other. */
        final Deque<RuntimeException> looks = new ArrayDeque<>();

        private CommandResult last;

        @Override
        public void submit(CommandRequest request, String caller) {
            sent.add(request);
            Answer answer = answers.poll();
            last = answer == null ? result(State.DONE, null, "") : answer.give();
        }

        @Override
        public Optional<CommandResult> find(String commandId) {
            return Optional.of(last);
        }

        @Override
        public Optional<CommandResult> await(String commandId, Duration wait) {
            RuntimeException problem = looks.poll();
            if (problem != null) {
                throw problem;
            }
            return find(commandId);
        }
    }
}
