package dev.ebb.topology.command;

import static dev.ebb.topology.work.WorkFixture.budget;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Outcome.Parts;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.topology.Outcomes;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkFixture;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lead of a sweep over two partitions. */
class SweepFanOutTest {

    private static final long NOW_MS = 1000;

    private final WorkFixture fixture = new WorkFixture(1 << 20, 2);

    /** Deletes of a partition before the refusal of another one are told all the same, and once. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    @Tag("O-11")
    void shouldReportTheSameBehindARestart(boolean isRefused, boolean isRestarted) {
        // given
        CommandRequest request =
                new CommandRequest("c-1", "anna", "clean-up", false, null, new Command.SweepNow(Scope.ALL, null));
        SweepFanOut lead = new SweepFanOut(fixture.parts, SweepFanOut.State.of(new Work.Asked(request, null)));
        lead.step(NOW_MS, budget());
        Parts parts = new Parts(List.of(new Part("s", RemovalCause.MAX_COUNT, 2, 20)), 0, List.of());
        lead.answered(0, Swept.without(outcome(2, parts), null, ""), NOW_MS);

        // when
        SweepFanOut last = isRestarted ? new SweepFanOut(fixture.parts, (SweepFanOut.State) lead.state()) : lead;
        Swept other = Swept.without(outcome(0, Parts.NONE), isRefused ? Refusal.NOT_READY : null, "");
        last.answered(1, other, NOW_MS);
        last.step(NOW_MS, budget());

        // then
        assertThat(fixture.results())
                .filteredOn(CommandResult::isFinal)
                .singleElement()
                .satisfies(result -> {
                    assertThat(result.refusal()).isEqualTo(isRefused ? Refusal.NOT_READY : null);
                    assertThat(result.outcome()).isEqualTo(outcome(2, parts));
                });
    }

    private static Outcome outcome(long events, Parts parts) {
        return new Outcome.Swept(
                Outcomes.deleted(events == 0 ? 0 : 1, 0, 0, events, 0, 10 * events, Map.of()),
                parts,
                Instant.ofEpochMilli(NOW_MS),
                1);
    }
}
