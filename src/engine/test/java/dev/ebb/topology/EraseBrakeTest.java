package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.atMost;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.planned;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.change.BrakeLimits;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An erasure that would delete much waits until somebody has seen its plan or named the number of its events. */
@Tag("T-15")
class EraseBrakeTest {

    private static final Command ERASE = EraseScenarioTest.erase(null, false, "metadata.user=42");

    private TopologyFixture fixture = withLimits(20, 10);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("EraseIsBraked")
    void eraseIsBraked() {
        // given
        store("orders", 30, 70);

        // when
        CommandResult refused = fixture.carryOut(request("c-1", ERASE));

        // then: nothing is gone, and the result names the number and the ways out
        assertThat(refused.state()).isEqualTo(State.REFUSED);
        assertThat(refused.refusal()).isEqualTo(Refusal.UNCONFIRMED);
        assertThat(refused.counts().eventsDeleted()).isZero();
        assertThat(refused.detail()).contains("would delete 30 of 100 events", "carry out its plan", "maxDeletes=30");
        assertThat(fixture.stored()).hasSize(100);

        // when
        CommandResult plan = fixture.carryOut(dryRun("p-1", ERASE));
        CommandResult done = fixture.carryOut(planned("p-1", "c-2", ERASE));

        // then
        assertThat(plan.counts().eventsDeleted()).isEqualTo(30);
        assertThat(done.state()).as(done.detail()).isEqualTo(State.DONE);
        assertThat(done.counts().eventsDeleted()).isEqualTo(30);
        assertThat(fixture.stored()).hasSize(70);
    }

    @ParameterizedTest
    @CsvSource({"20, 80, true", "21, 79, false", "10, 1, true", "11, 1, false"})
    void shouldEraseUnseenUpToTheShareAndTheMinimum(int matching, int others, boolean isErased) {
        // given
        store("orders", matching, others);

        // when
        CommandResult result = fixture.carryOut(request("c-1", ERASE));

        // then
        assertThat(result.state()).as(result.detail()).isEqualTo(isErased ? State.DONE : State.REFUSED);
        assertThat(result.counts().eventsDeleted()).isEqualTo(isErased ? matching : 0);
        assertThat(fixture.stored()).hasSize(others + (isErased ? 0 : matching));
    }

    @Test
    void shouldSeeEachNamespace() {
        // given
        store("small", 20, 0);
        store("big", 0, 400);

        // when
        CommandResult result = fixture.carryOut(request("c-1", ERASE));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.UNCONFIRMED);
        assertThat(result.detail()).contains("20 of 420 events, 20 of 20 in the namespace small");
        assertThat(fixture.stored()).hasSize(420);
    }

    @ParameterizedTest
    @CsvSource({"29, false", "30, true", "31, true"})
    void shouldEraseNoMoreThanTheNumberThatIsNamed(long most, boolean isErased) {
        // given
        store("orders", 30, 0);

        // when
        CommandResult result = fixture.carryOut(atMost(most, "c-1", ERASE));

        // then
        assertThat(result.refusal()).isEqualTo(isErased ? null : Refusal.TOO_MANY);
        assertThat(fixture.stored()).hasSize(isErased ? 0 : 30);
    }

    @Test
    void shouldGoOnWithTheCountAfterARestart() {
        // given
        store("orders", 30, 70);
        fixture.send(request("c-1", ERASE));

        // when
        for (int i = 0; i < 5; i++) {
            fixture.advance(1);
            fixture.restart();
        }

        // then
        assertThat(fixture.finish("c-1").refusal()).isEqualTo(Refusal.UNCONFIRMED);
        assertThat(fixture.stored()).hasSize(100);
    }

    private void store(String namespace, int matching, int others) {
        for (int i = 0; i < matching + others; i++) {
            String user = i < matching ? "42" : "43";
            fixture.event(event(namespace + "/" + i % 3, "e" + i).metadata(Map.of("user", user)));
        }
    }

    private static TopologyFixture withLimits(int share, long minimum) {
        var settings = TopologyFixture.settings(OptionalLong.of(1000), 10_000);
        return TopologyFixture.inMemory(new SettingsLike(settings)
                .brakeLimits(new BrakeLimits(share, minimum, 0))
                .make());
    }
}
