package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.topology.Outcomes;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A record on the topic of results changes nothing unless the state of a partition confirms it. */
@Tag("O-11")
@Tag("O-17")
@Timeout(60)
class ForgedResultIsNoResultTest {

    private static final CommandRequest REAL =
            new CommandRequest("c-1", "anna", "", false, null, new Command.DeleteStream(new StreamName("s0"), false));

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final Instance keeper = pair.one;
    private final Instance other = pair.two;

    @Test
    void shouldNotShowAnOutcomeThatNoPartitionDecided() {
        // given: partition 0 is kept by one instance, partition 3 by the other
        keeper.data.commands.forge(0, forged());
        other.data.commands.forge(0, forged());

        // then
        assertThat(get(keeper).status()).isEqualTo(404);
        assertThat(get(other).status()).isEqualTo(404);
    }

    @Test
    void shouldCarryOutTheRealCommandUnderTheIdOfAForgedOne() {
        // given
        keeper.data.commands.forge(0, forged());

        // when
        Answer answer = keeper.client().send("DELETE", "/v1/streams/s0?commandId=c-1", null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(keeper.data.commands.submitted).hasSize(1);
    }

    @Test
    void shouldAnswerTheResultOfThePartitionThatHasTheCommandAndNoOther() {
        // given: the genuine result is that of partition 0, and a forged one came later under the name of partition 3
        keeper.data.commands.knows(0, real(State.DONE, 3));
        other.data.commands.forge(3, forged());
        keeper.data.commands.forge(0, forged());

        // then
        assertThat(deletedAt(other)).isEqualTo(3);
        assertThat(deletedAt(keeper)).isEqualTo(3);
        assertThat(deletedAt(other)).as("found at once from now on").isEqualTo(3);
    }

    @Test
    void shouldSayThatACommandIsRunningWhateverOutcomeIsForged() {
        // given
        keeper.data.commands.knows(0, real(State.RUNNING, 0));
        other.data.commands.forge(0, forged());

        // then
        Answer answer = get(other);
        assertThat(answer.json().path("state").asText()).isEqualTo("RUNNING");
        assertThat(answer.json().path("verb").asText()).isEqualTo("delete");
    }

    @Test
    void shouldShowTheProgressOfARunningCommand() {
        // given
        keeper.data.commands.knows(0, real(State.RUNNING, 0));
        other.data.commands.forge(0, real(State.RUNNING, 2));

        // then
        assertThat(deletedAt(other)).isEqualTo(2);
    }

    /** The outcome comes while the partitions are asked about the forged report: it is said only once. */
    @Test
    void shouldKeepAnOutcomeThatComesWhileAForgedOneIsDenied() {
        // given: the partition ends the command while the last one is asked
        other.data.commands.forge(2, forged());
        other.data.commands.whenAsked.put(3, () -> {
            other.data.commands.forge(0, real(State.DONE, 3));
            keeper.data.commands.knows(0, real(State.DONE, 3));
        });

        // then
        assertThat(deletedAt(other)).isEqualTo(3);
        assertThat(other.data.commands.find("c-1")).contains(real(State.DONE, 3));
    }

    /** Only the instance that kept the partition then remembers that it turned the command away. */
    @Test
    void shouldStillSayThatACommandWasTurnedAwayWhenThePartitionHasMoved() {
        // given
        other.data.commands.forge(0, busy("delete", REAL.fingerprint()));

        // then
        assertThat(get(other).json().path("refusal").asText()).isEqualTo("BUSY");
    }

    @Test
    void shouldCarryOutTheRealCommandWhoseIdWasTurnedAwayForAnother() {
        // given
        keeper.data.commands.forge(0, busy("purge", "another"));

        // when
        Answer answer = keeper.client().send("DELETE", "/v1/streams/s0?commandId=c-1&wait=0s", null, "");

        // then
        assertThat(answer.status()).as(answer.response().body()).isNotEqualTo(409);
        assertThat(keeper.data.commands.submitted).hasSize(1);
    }

    @Test
    void shouldNotDenyACommandWhileItsPartitionMoves() {
        // given
        pair.instances.keepers.remove(0);
        other.data.commands.forge(0, real(State.DONE, 3));

        // then
        assertThat(get(other).status()).isEqualTo(503);
    }

    /** Those who wait for the command go on to wait. */
    @Test
    void shouldShowTheProgressWhileThePartitionMoves() {
        // given
        pair.instances.keepers.remove(0);
        other.data.commands.forge(0, real(State.RUNNING, 2));

        // then
        assertThat(deletedAt(other)).isEqualTo(2);
    }

    @Test
    void shouldAnswerTheQuestionOfInstancesAlone() {
        // when
        Answer answer = keeper.client()
                .send("POST", "/v1/commands/known", "application/json", "{\"partition\":0,\"commandId\":\"c-1\"}");

        // then
        assertThat(answer.status()).isEqualTo(400);
    }

    private static Answer get(Instance at) {
        return at.client().get("/v1/commands/c-1");
    }

    private static long deletedAt(Instance at) {
        Answer answer = get(at);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.json().at("/outcome/eventsDeleted").asLong();
    }

    private static CommandResult forged() {
        return result("purge", State.DONE, 777, "another");
    }

    private static CommandResult real(State state, long deleted) {
        return result("delete", state, deleted, REAL.fingerprint());
    }

    private static CommandResult busy(String verb, String fingerprint) {
        return new CommandResult(
                "c-1", verb, State.REFUSED, Refusal.BUSY, "", false, Outcome.nothing(), 1, fingerprint);
    }

    private static CommandResult result(String verb, State state, long deleted, String fingerprint) {
        Deleted counts = Outcomes.deleted(1, 1, 0, deleted, 0, 10, Map.of());
        return new CommandResult("c-1", verb, state, null, "", false, counts, 1, fingerprint);
    }
}
