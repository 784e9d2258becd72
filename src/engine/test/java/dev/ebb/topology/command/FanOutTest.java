package dev.ebb.topology.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand.Step;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.Outcomes;
import dev.ebb.topology.wire.ErrandBodies.Candidate;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.EndSearch;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkFixture;
import java.util.ArrayList;
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
        // given a first round, of which one stream was skipped, and a second one for the next stream
        FanOut lead = lead(2, null);
        gather(lead, List.of("s1", "s2"), List.of("t1", "t2"));
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, new CarriedOut(Deleted.skipped(Refusal.HELD), 1, null), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        assertThat(rounds()).containsExactly(1, 1, 2);

        // when
        lead.answered(0, carriedOut(1, 5), NOW_MS);

        // then it waits still
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        assertThat(results()).isEmpty();

        // when
        lead.answered(0, carriedOut(2, 3), NOW_MS);

        // then
        assertThat(step(lead)).isEqualTo(Progress.DONE);
        assertThat(results()).singleElement().satisfies(result -> {
            assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(8);
            assertThat(result.outcome().deletions().streamsDeleted()).isEqualTo(2);
        });
    }

    /** A count would end the deleting pass, and be taken for deletes. */
    @Test
    @Tag("T-6")
    void shouldTakeNoCountForADelete() {
        // given a limit, so that all is counted first
        FanOut lead = lead(1000, 100L);
        gather(lead, List.of("s1"), List.of("t1"));
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, carriedOut(1, 5), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.MORE);
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        gather(lead, List.of("s1"), List.of("t1"));
        assertThat(fixture.sent(Step.CARRY_OUT, CarryOut.class))
                .extracting(CarryOut::isDryRun)
                .containsExactly(true, true, false, false);

        // when
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, carriedOut(1, 5), NOW_MS);

        // then
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        int round = rounds().get(3);
        lead.answered(0, carriedOut(round, 4), NOW_MS);
        lead.answered(1, carriedOut(round, 4), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.DONE);
        assertThat(results()).singleElement().satisfies(result -> assertThat(
                        result.outcome().deletions().eventsDeleted())
                .isEqualTo(8));
    }

    /** Its partitions go on, and nobody adds up what they delete. */
    @Test
    @Tag("T-17")
    void shouldNotSayHowManyEventsGoIfItFailsBeforeItsPartitionsAreDone() {
        // given
        FanOut lead = lead(2, null);
        gather(lead, List.of("s1"), List.of("t1"));
        lead.answered(0, carriedOut(1, 5), NOW_MS);

        // when
        lead.fail("broken", NOW_MS);

        // then
        assertThat(fixture.audits()).singleElement().satisfies(end -> {
            assertThat(end.action()).isEqualTo(AuditRecord.DONE);
            assertThat(end.total()).isNull();
        });
    }

    @Test
    @Tag("T-17")
    void shouldSayHowManyEventsWentIfItFailsBetweenTwoRounds() {
        // given
        FanOut lead = lead(2, null);
        gather(lead, List.of("s1"), List.of("t1"));
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        lead.answered(1, carriedOut(1, 6), NOW_MS);

        // when
        lead.fail("broken", NOW_MS);

        // then
        assertThat(fixture.audits()).singleElement().satisfies(end -> assertThat(end.total())
                .isEqualTo(11));
    }

    /** No partition remembers the streams of a command that is done. */
    @Test
    @Tag("O-9")
    void shouldEndTheSearchesInAllPartitions() {
        // given
        FanOut lead = lead(1, null);
        gather(lead, List.of("s1"), List.of("t1"));
        assertThat(fixture.sent(Step.END_SEARCH, EndSearch.class)).isEmpty();

        // when
        lead.answered(0, carriedOut(1, 5), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.DONE);

        // then
        assertThat(fixture.sent(Step.END_SEARCH, EndSearch.class)).hasSize(PARTITIONS);
    }

    private FanOut lead(long limit, @Nullable Long maxDeletes) {
        StreamFilter all = new StreamFilter(null, null, null, limit, true);
        CommandRequest request =
                new CommandRequest("c-1", "anna", "clean-up", false, maxDeletes, new Command.PurgeStreams(all));
        FanOut lead = new FanOut(fixture.parts, FanOut.State.of(new Work.Asked(request, null)));
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
        return lead;
    }

    /** Names all candidates of each partition, of which the first ones are carried out next. */
    private void gather(FanOut lead, List<String> first, List<String> second) {
        lead.answered(0, gathered(first), NOW_MS);
        lead.answered(1, gathered(second), NOW_MS);
        assertThat(step(lead)).isEqualTo(Progress.WAITING);
    }

    private static Gathered gathered(List<String> streams) {
        List<Candidate> candidates = new ArrayList<>();
        streams.forEach(stream -> candidates.add(new Candidate(stream, 1 + candidates.size())));
        return new Gathered(candidates, Deleted.NOTHING, true, List.of());
    }

    private static CarriedOut carriedOut(int round, long events) {
        return new CarriedOut(Outcomes.deleted(1, 1, 0, events, 0, 10 * events, Map.of()), round, null);
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
