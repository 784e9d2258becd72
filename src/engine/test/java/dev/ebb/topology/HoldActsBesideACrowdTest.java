package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.Scope;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.wire.HoldConfirmations;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A crowd of commands over many streams delays neither holds nor commands on a single stream. */
@Tag("M-18")
@Tag("O-9")
class HoldActsBesideACrowdTest {

    private static final int CROWD = 2000;
    private static final int SLICES = 40;

    /** Each slice ends after a single step, so the length of the queue is all that counts. */
    private final TopologyFixture fixture =
            TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1), 10_000))
                    .sweepSlice(Duration.ofNanos(1))
                    .make());

    @BeforeEach
    void fillWithACrowd() {
        fixture.event(event("orders/1", "first").completedAt(T0 - 1000));
        fixture.event(event("orders/1", "second").completedAt(T0 - 1000));
        fixture.copies.isEndless = true;
        for (int i = 0; i < CROWD; i++) {
            Command erase = CrowdOfCommandsIsRefusedTest.erase();
            fixture.send(new CommandRequest("crowd-" + i, "caller" + i, "", true, null, erase));
        }
        fixture.advance(10);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldBringAHoldIntoForceBesideACrowd() {
        // when
        fixture.hold("LIT-1", Scope.namespace("orders"));
        awaitFewSlices(HoldConfirmations.idOf(0));
        fixture.send(request("mine", delete("orders/1")));

        // then
        assertThat(awaitFewSlices("mine").refusal()).isEqualTo(Refusal.HELD);
        assertThat(fixture.ids("orders/1")).containsExactly("first", "second");
    }

    @Test
    void shouldDeleteAnEventAndAStreamBesideACrowd() {
        // when
        fixture.send(request("event", deleteEvent("orders/1", "first", false)));
        fixture.send(request("stream", delete("orders/1")));

        // then
        assertThat(awaitFewSlices("event").state()).isEqualTo(State.DONE);
        assertThat(awaitFewSlices("stream").state()).isEqualTo(State.DONE);
        assertThat(fixture.ids("orders/1")).isEmpty();
    }

    @Test
    void shouldLeadNoMoreThanTheLimit() {
        // when
        fixture.advance(1000);

        // then
        assertThat(fixture.status().crowd().bulk()).isEqualTo(CrowdLimits.DEFAULT.bulk());
        assertThat(fixture.results.stream().filter(result -> result.refusal() == Refusal.BUSY))
                .hasSize(CROWD - CrowdLimits.DEFAULT.bulk());
    }

    private CommandResult awaitFewSlices(String id) {
        for (int i = 0; i < SLICES; i++) {
            CommandResult result = fixture.result(id);
            if (result != null && result.isFinal()) {
                return result;
            }
            fixture.advance(10);
        }
        throw new AssertionError(id + " did not end within " + SLICES + " slices");
    }
}
