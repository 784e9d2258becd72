package dev.ebb.topology.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand.Step;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.topology.command.Work.Progress;
import dev.ebb.topology.wire.ErrandBodies.Candidate;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lead of a command over many streams, with the answers of its partitions in any order and number. */
@Tag("O-11")
class FanOutTest {

    private static final long NOW_MS = 1_000_000;
    private static final int PARTITIONS = 2;

    private final WorkFixture fixture = new WorkFixture(1 << 20, PARTITIONS);

    /** At least once, the answer of a former round may come again while the same partition is at work on the next one. */
    @Test
    void shouldCountNoAnswerOfAFormerRound() {
        // given a first round, which is done, and a second one
        FanOut lead = lead(null);
        gather(lead, "s1", "t1", false);
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, carriedOut(1, 5), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        gather(lead, "s2", "t2", true);
        assertThat(rounds()).containsExactly(1, 1, 2, 2);

        // when
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, carriedOut(2, 3), NOW_MS);

        // then it waits for the first partition still
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        assertThat(results()).isEmpty();

        // when
        lead.answered(0, carriedOut(2, 3), NOW_MS);

        // then
        assertThat(step(lead)).isEqualTo(Progress.DONE);
        assertThat(results()).singleElement().satisfies(result -> {
            assertThat(result.counts().eventsDeleted()).isEqualTo(16);
            assertThat(result.counts().streamsDeleted()).isEqualTo(4);
        });
    }

    /** A count would end the deleting pass, and be taken for deletes. */
    @Test
    @Tag("T-6")
    void shouldTakeNoCountForADelete() {
        // given a limit, so that all is counted first
        FanOut lead = lead(100L);
        gather(lead, "s1", "t1", true);
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, carriedOut(1, 5), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.MORE);
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        gather(lead, "s1", "t1", true);
        assertThat(fixture.sent(Step.CARRY_OUT, CarryOut.class))
                .extracting(CarryOut::isDryRun)
                .containsExactly(true, true, false, false);

        // when
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, carriedOut(1, 5), NOW_MS);

        // then
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        lead.answered(0, carriedOut(2, 4), NOW_MS);
        lead.answered(1, carriedOut(2, 4), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.DONE);
        assertThat(results())
                .singleElement()
                .satisfies(result -> assertThat(result.counts().eventsDeleted()).isEqualTo(8));
    }

    private FanOut lead(@Nullable Long maxDeletes) {
        StreamFilter all = new StreamFilter(null, null, null, 1000, true);
        CommandRequest request =
                new CommandRequest("c-1", "anna", "clean-up", false, maxDeletes, new Command.PurgeStreams(all));
        FanOut lead = new FanOut(fixture.parts, FanOut.State.of(new Work.Asked(request, null)));
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        return lead;
    }

    /** Names the next candidate of each partition, which are carried out next. */
    private void gather(FanOut lead, String first, String second, boolean isLast) {
        lead.answered(0, gathered(first, isLast), NOW_MS);
        lead.answered(1, gathered(second, isLast), NOW_MS);
        for (int i = 0; i < 2; i++) {
            assertThat(step(lead)).isEqualTo(Progress.WAITING);
        }
    }

    private static Gathered gathered(String stream, boolean isLast) {
        return new Gathered(List.of(new Candidate(stream, 1)), CommandCounts.NOTHING, isLast, List.of());
    }

    private static CarriedOut carriedOut(int round, long events) {
        return new CarriedOut(new CommandCounts(1, 1, 0, events, 0, 10 * events, Map.of()), round, null);
    }

    private List<Integer> rounds() {
        return fixture.sent(Step.CARRY_OUT, CarryOut.class).stream()
                .map(CarryOut::round)
                .toList();
    }

    private List<CommandResult> results() {
        return fixture.results().stream().filter(CommandResult::isFinal).toList();
    }

    private static Progress step(FanOut lead) {
        return lead.step(NOW_MS, WorkFixture.budget());
    }
}
