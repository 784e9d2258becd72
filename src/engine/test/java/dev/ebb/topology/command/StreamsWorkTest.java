package dev.ebb.topology.command;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static dev.ebb.topology.work.WorkFixture.ASKED_BY;
import static dev.ebb.topology.work.WorkFixture.PARTITION;
import static dev.ebb.topology.work.WorkFixture.budget;
import static dev.ebb.topology.work.WorkFixture.oneStep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.wire.ErrandBodies.Candidate;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import dev.ebb.topology.work.StreamRefusals;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkFixture;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletes and prunes of streams of one partition, slice by slice. */
@Tag("O-10")
class StreamsWorkTest {

    private static final Command PURGE =
            new Command.PurgeStreams(new StreamFilter(null, null, null, StreamFilter.DEFAULT_LIMIT, true));

    private final WorkFixture fixture = new WorkFixture();

    /** Many streams may have parents: each question is a step of the slice. */
    @Test
    @Tag("O-2")
    @Tag("O-12")
    void shouldAskForAncestorsInSlices() {
        // given
        for (String child : List.of("a", "b", "c")) {
            child(child, "p");
        }
        StreamsWork work = purge("a", "b", "c");

        // when
        Progress first = work.step(T0, oneStep());
        int asked = questions();
        Progress last = work.step(T0, budget());

        // then
        assertThat(first).isEqualTo(Progress.MORE);
        assertThat(asked).isEqualTo(1);
        assertThat(last).isEqualTo(Progress.WAITING);
        assertThat(questions()).isEqualTo(3);
    }

    @Test
    @Tag("O-11")
    void shouldAnswerThatItFailed() {
        // given
        fixture.state.event(event("a", "e"));

        // when
        purge("a").fail("bang", T0);

        // then
        assertThat(carriedOut()).isEqualTo(Deleted.skipped(Refusal.FAILED));
    }

    /** A failure may come behind the last stream; the partition that asks for the work must hear of it all the same. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 2", "3, 3"})
    @Tag("O-11")
    void shouldCountAllStreamsThatAreLeftWhenItFails(int left, long skipped) {
        // given
        List<String> streams = List.of("a", "b", "c");
        StreamsWork work = work(new StreamsWork.State(
                request(PURGE, null, false),
                false,
                streams,
                Map.of(),
                ASKED_BY,
                0,
                null,
                streams.size() - left,
                0,
                Deleted.NOTHING,
                null,
                PlanTally.NOTHING,
                null));

        // when
        work.fail("bang", T0);

        // then
        assertThat(carriedOut().streamsSkipped()).isEqualTo(Map.of(Refusal.FAILED, skipped));
    }

    @Test
    @Tag("O-11")
    void shouldTellItsSenderThatItFailed() {
        // given
        fixture.state.event(event("a", "e"));

        // when
        delete("a").fail("bang", T0);

        // then
        assertThat(result().refusal()).isEqualTo(Refusal.FAILED);
        assertThat(result().detail()).isEqualTo("bang");
        assertThat(result().outcome().deletions().streamsSkipped()).isEqualTo(Map.of(Refusal.FAILED, 1L));
    }

    /** A stream of its name may come again: no sweep looks for the former one, and no failure of it counts. */
    @Test
    @Tag("A-1")
    @Tag("I-3")
    void shouldForgetAllAboutADeletedStream() {
        // given
        atMostEvents(1);
        fill("a", 2);
        String name = StreamGuard.nameOf(new StreamName("a"));
        fixture.failures.remember(PARTITION, name, "bang");
        assertThat(fixture.state.schedule.backlog(T0, 10)).isEqualTo(1);

        // when
        delete("a").step(T0, budget());

        // then
        assertThat(fixture.has("a")).isFalse();
        assertThat(fixture.state.schedule.backlog(T0, 10)).isZero();
        assertThat(fixture.failures.get(PARTITION, name)).isNull();
    }

    /** Its name was used again between the search and the turn (O-10). */
    @Test
    @Tag("O-10")
    void shouldLeaveAStreamThatBeganAfterTheSearch() {
        // given
        fill("a", 1);
        fill("b", 1);
        fixture.parts.searches().begin("c-1", T0);
        fixture.state.retire("a");
        fill("a", 2);

        // when
        purge("a", "b").step(T0, budget());

        // then
        assertThat(fixture.has("a")).isTrue();
        assertThat(carriedOut())
                .isEqualTo(new Deleted(1, 1, 0, 1, 0, carriedOut().bytesDeleted(), Map.of()));
    }

    @Test
    @Tag("A-7")
    void shouldNotPruneAStreamBeforeItHasMoved() {
        // given
        fill("a", 3);
        fixture.state.begin(
                RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        assertThat(fixture.stream("a").isMoving()).isTrue();
        StreamsWork work = prune("a", null, false);

        // when
        Progress waits = work.step(T0, budget());
        fixture.state.moveAll();
        Progress goesOn = work.step(T0, budget());

        // then
        assertThat(List.of(waits, goesOn)).containsExactly(Progress.LATER, Progress.DONE);
        assertThat(fixture.state.ids("a")).hasSize(1);
    }

    @Test
    @Tag("O-2")
    void shouldPruneInSlicesAndTellTheSchedule() {
        // given
        atMostEvents(2);
        fill("a", 4);
        StreamsWork work = prune("a", null, false);

        // when
        Progress first = work.step(T0, budget(1));
        int left = fixture.state.ids("a").size();
        Progress last = work.step(T0, budget());

        // then
        assertThat(List.of(first, last)).containsExactly(Progress.MORE, Progress.DONE);
        assertThat(left).isEqualTo(3);
        assertThat(fixture.state.schedule.backlog(T0, 10)).isZero();
        assertThat(result().outcome().deletions().eventsDeleted()).isEqualTo(3);
    }

    /** The events that went before the hold stay gone and count; nothing of the prune stays with the stream. */
    @Test
    @Tag("M-18")
    void shouldBreakOffAPruneBehindAHold() {
        // given
        fill("a", 4);
        StreamsWork work = prune("a", null, false);
        work.step(T0, budget(1));
        assertThat(fixture.stream("a").isPassedThrough()).isTrue();

        // when
        hold("a");
        work.step(T0, budget());

        // then
        assertThat(fixture.state.ids("a")).hasSize(3);
        assertThat(fixture.stream("a").isPassedThrough()).isFalse();
        assertThat(result().outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(result().state()).isEqualTo(CommandResult.State.DONE);
    }

    /** Events that were only counted, to see whether they are too many, have not gone. */
    @Test
    @Tag("M-18")
    void shouldCountNothingOfAPruneThatAHoldMeetsBeforeItsFirstDelete() {
        // given
        fill("a", 4);
        StreamsWork work = prune("a", 100L, false);
        assertThat(work.step(T0, budget(1))).isEqualTo(Progress.MORE);

        // when
        hold("a");
        work.step(T0, budget());

        // then
        assertThat(fixture.state.ids("a")).hasSize(4);
        assertThat(result().refusal()).isEqualTo(Refusal.HELD);
        assertThat(result().outcome().deletions()).isEqualTo(Deleted.skipped(Refusal.HELD));
    }

    /** The dry run says what the prune would have done. */
    @Test
    @Tag("M-18")
    void shouldCountTheSameInADryRunThatAHoldMeets() {
        // given
        fill("a", 4);
        StreamsWork work = prune("a", null, true);
        assertThat(work.step(T0, budget(1))).isEqualTo(Progress.MORE);

        // when
        hold("a");
        work.step(T0, budget());

        // then
        assertThat(fixture.state.ids("a")).hasSize(4);
        assertThat(result().outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(result().outcome().deletions().streamsSkipped()).isEmpty();
    }

    /** The leader of the command must not wait for a partition whose search failed. */
    @Test
    @Tag("O-11")
    void shouldAnswerThatASearchFailed() {
        // given
        Gather question = new Gather(request(PURGE, null, false), null, 10);
        GatherWork work = new GatherWork(fixture.parts, new GatherWork.State(question, 2));

        // when
        work.fail("bang", T0);

        // then
        assertThat(fixture.sent(Errand.Step.GATHERED, Gathered.class))
                .containsExactly(new Gathered(List.of(), Deleted.skipped(Refusal.FAILED), true, List.of()));
    }

    /** Without its search, a part of a command would take streams that began after the command (O-10). */
    @Test
    @Tag("O-10")
    void shouldTakeNothingForACommandWhoseSearchHasEnded() {
        // given
        fill("a", 1);
        StreamsWork part = purge("a");
        Gather question = new Gather(request(PURGE, null, false), new Candidate("0", 0), 10);
        fixture.parts.searches().end("c-1");

        // when
        new GatherWork(fixture.parts, new GatherWork.State(question, 2)).step(T0, budget());
        part.step(T0, budget());

        // then
        assertThat(fixture.state.ids("a")).hasSize(1);
        assertThat(carriedOut()).isEqualTo(Deleted.skipped(Refusal.FAILED));
        assertThat(fixture.sent(Errand.Step.GATHERED, Gathered.class))
                .containsExactly(new Gathered(List.of(), Deleted.skipped(Refusal.FAILED), true, List.of()));
    }

    /** Its turn comes again in the next slice if a recount ended this one, and at once if the budget did. */
    @ParameterizedTest
    @Tag("I-3")
    @ValueSource(booleans = {true, false})
    void shouldTellARecountFromTheEndOfTheBudget(boolean isRecount) {
        // given
        fill("a", 1);
        fill("b", 1);
        if (isRecount) {
            fixture.stream("a").suspect("the test says so");
        }
        Gather question = new Gather(request(PURGE, null, false), null, 10);
        GatherWork work = new GatherWork(fixture.parts, new GatherWork.State(question, 2));

        // when
        Progress progress = work.step(T0, isRecount ? budget() : oneStep());

        // then
        assertThat(progress).isEqualTo(isRecount ? Progress.LATER : Progress.MORE);
    }

    /** The words for people tell one event from several, and what is quarantined from what waits. */
    @Test
    void shouldExplainRefusals() {
        // given
        fill("a", 1);

        // when
        String waits = StreamRefusals.explain(
                fixture.stream("a"),
                Refusal.NOT_READY,
                fixture.context.policies().get());

        // then
        assertThat(waits).contains("cannot be taken in yet").doesNotContain("quarantined");
        assertThat(StreamRefusals.tooMany(1, 0)).contains("1 event, 0 allowed");
        assertThat(StreamRefusals.tooMany(2, 1)).contains("2 events, 1 allowed");
    }

    private void atMostEvents(long count) {
        fixture.state.policies(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(count)).build());
    }

    private void hold(String stream) {
        Hold hold = new Hold("case", Scope.stream(stream), "", "", 0);
        fixture.state.policies(Policies.setOf(List.of(), List.of(hold)));
    }

    private void fill(String stream, int events) {
        for (int i = 0; i < events; i++) {
            fixture.state.event(event(stream, "e" + i));
        }
    }

    private void child(String stream, String parent) {
        fixture.state.execution(
                new ExecutionUpdate(new StreamName(stream), 1, "completed", new StreamName(parent), null, T0), T0);
    }

    private StreamsWork purge(String... streams) {
        fixture.parts.searches().begin("c-1", T0);
        CarryOut order = new CarryOut(request(PURGE, null, false), List.of(streams), false, 0, null, null);
        return work(StreamsWork.State.ofPart(order, ASKED_BY));
    }

    private StreamsWork delete(String stream) {
        Command command = new Command.DeleteStream(new StreamName(stream), true);
        return work(StreamsWork.State.ofOne(new Work.Asked(request(command, null, false), null)));
    }

    /** Keeps the last event alone. */
    private StreamsWork prune(String stream, @Nullable Long maxDeletes, boolean isDryRun) {
        Command command = new Command.PruneStream(new StreamName(stream), new PruneCondition(1L, null));
        return work(StreamsWork.State.ofOne(new Work.Asked(request(command, maxDeletes, isDryRun), null)));
    }

    private StreamsWork work(StreamsWork.State state) {
        return new StreamsWork(fixture.parts, state);
    }

    private static CommandRequest request(Command command, @Nullable Long maxDeletes, boolean isDryRun) {
        return new CommandRequest("c-1", "anna", "clean-up", isDryRun, maxDeletes, command);
    }

    private int questions() {
        return fixture.sent(Errand.Step.ASK_PARENT, ParentQuestion.class).size();
    }

    private Deleted carriedOut() {
        List<CarriedOut> answers = fixture.sent(Errand.Step.CARRIED_OUT, CarriedOut.class);
        assertThat(answers).hasSize(1);
        return answers.get(0).counts();
    }

    private CommandResult result() {
        assertThat(fixture.results()).hasSize(1);
        return fixture.results().get(0);
    }
}
