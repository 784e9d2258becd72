package dev.ebb.topology.command;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static dev.ebb.topology.work.WorkFixture.budget;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.work.CommandNotes;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkFixture;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A command on one event, in the task of its stream. */
@Tag("O-9")
class EventWorkTest {

    private static final CommandNotes.Turn FIRST = new CommandNotes.Turn(0, Set.of());

    private WorkFixture fixture = new WorkFixture();
    private final CommandNotes notes = new CommandNotes(fixture.state.store);

    /** After a crash the work goes on, so it is found where it was written down. */
    @Test
    @Tag("O-11")
    void shouldBeWrittenDownWithWhatItsSenderHasSeen() {
        // given
        EventWork.State state = new EventWork.State(request(delete("s", "e"), null), new PolicyEdition(7, 2));

        // when
        EventWork work = new EventWork(fixture.parts, state);
        notes.save(work.name(), FIRST, work.state());

        // then
        assertThat(notes.pending(EventWork.KIND.name(), EventWork.KIND.type()))
                .containsExactly(new CommandNotes.Pending<>(FIRST, state));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, DONE", "0, 0, DONE", "1, 0, LATER", "0, 1, LATER"})
    @Tag("T-1")
    void shouldWaitForThePoliciesThatItsSenderHasSeen(long ahead, long late, Progress expected) {
        // given
        fixture.state.event(event("s", "e"));
        PolicyEdition seen = fixture.context.view().get().reflected();
        PolicyEdition known = new PolicyEdition(seen.version() + ahead, seen.lateChanges() + late);

        // when
        EventWork work = new EventWork(fixture.parts, new EventWork.State(request(delete("s", "e"), null), known));
        Progress progress = work.step(T0, budget());

        // then
        assertThat(progress).isEqualTo(expected);
        assertThat(fixture.has("s")).isEqualTo(expected == Progress.LATER);
    }

    @ParameterizedTest
    @CsvSource({"0, REFUSED", "1, DONE", "2, DONE"})
    void shouldDeleteNoMoreThanIsAllowed(long maxDeletes, State expected) {
        // given
        fixture.state.event(event("s", "e"));

        // when
        CommandResult result = carryOut(request(delete("s", "e"), maxDeletes));

        // then
        assertThat(result.state()).isEqualTo(expected);
        assertThat(result.refusal()).isEqualTo(expected == State.DONE ? null : Refusal.TOO_MANY);
        assertThat(fixture.has("s")).isEqualTo(expected != State.DONE);
    }

    @Test
    @Tag("M-3")
    void shouldSayWhatProtectsAnEvent() {
        // given
        fixture.state.event(event("own", "e").status("pending"));
        fixture.state.execution("by-execution", 7, "running");
        fixture.state.event(event("by-execution", "e").execution(7));

        // when
        CommandResult own = carryOut(request(delete("own", "e"), null));
        CommandResult byExecution = carryOut(request(delete("by-execution", "e"), null));

        // then
        assertThat(own.refusal()).isEqualTo(Refusal.PROTECTED);
        assertThat(own.detail()).contains("its own status");
        assertThat(byExecution.detail()).contains("execution 7").doesNotContain("its own status");
    }

    @Test
    @Tag("A-1")
    void shouldTellTheScheduleOfADelete() {
        // given a stream over its cap until the event goes
        fixture.state.policies(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.state.event(event("s", "a"));
        fixture.state.event(event("s", "b"));
        assertThat(fixture.state.schedule.backlog(T0, 10)).isEqualTo(1);

        // when
        carryOut(request(delete("s", "b"), null));

        // then
        assertThat(fixture.state.schedule.backlog(T0, 10)).isZero();
    }

    @Test
    void shouldMirrorAnEventWithAnotherTtl() {
        // given
        fixture.state.event(event("s", "e"));

        // when
        CommandResult result = carryOut(request(setTtl("s", "e"), null));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(fixture.rows()).isEqualTo(1);
        assertThat(fixture.state.find("s", "e").event().ttl()).isEqualTo(new OwnTtl(null, T0 + 60_000, false, true));
    }

    /** An event that was stored when more was allowed: its row would not be taken. */
    @ParameterizedTest
    @Tag("O-20")
    @CsvSource({"-1, REFUSED", "0, DONE", "1, DONE"})
    void shouldRefuseAChangeWhoseRowIsTooBig(int spareBytes, State expected) {
        // given
        int rowBytes = bytesOfRowWithTtl();
        fixture = new WorkFixture(recordMaxBytesFor(rowBytes + spareBytes), 1);
        fixture.state.event(event("s", "e").payloadBytes(100_000));

        // when
        CommandResult result = carryOut(request(setTtl("s", "e"), null));

        // then
        assertThat(result.state()).isEqualTo(expected);
        assertThat(fixture.rows()).isEqualTo(expected == State.DONE ? 1 : 0);
        if (expected == State.REFUSED) {
            assertThat(result.refusal()).isEqualTo(Refusal.BAD_COMMAND);
            assertThat(result.detail()).contains(rowBytes + " bytes").contains((rowBytes - 1) + " can be sent");
            assertThat(fixture.state.find("s", "e").event().ttl()).isEqualTo(OwnTtl.NONE);
        }
    }

    @Test
    @Tag("O-11")
    void shouldTellThatItFailed() {
        // when
        work(request(delete("s", "e"), null)).fail("bang", T0);

        // then
        assertThat(fixture.results()).singleElement().satisfies(result -> {
            assertThat(result.refusal()).isEqualTo(Refusal.FAILED);
            assertThat(result.detail()).isEqualTo("bang");
        });
    }

    private int bytesOfRowWithTtl() {
        WorkFixture roomy = new WorkFixture();
        roomy.state.event(event("s", "e").payloadBytes(100_000).ttl(OwnTtl.of(null, T0 + 60_000, false)));
        return roomy.context.outbox().row(roomy.state.find("s", "e")).sizeBytes();
    }

    /** The setting under which a row may have so many bytes. */
    private static int recordMaxBytesFor(int storedBytes) {
        return IntStream.rangeClosed(storedBytes - 65_536, storedBytes)
                .filter(max -> new RecordLimits(max).storedBytes() == storedBytes)
                .findFirst()
                .orElseThrow();
    }

    private CommandResult carryOut(CommandRequest request) {
        Progress progress = work(request).step(T0, budget());
        assertThat(progress).isEqualTo(Progress.DONE);
        return fixture.results().get(fixture.results().size() - 1);
    }

    private EventWork work(CommandRequest request) {
        return new EventWork(fixture.parts, EventWork.State.of(new Work.Asked(request, null)));
    }

    private static CommandRequest request(Command command, Long maxDeletes) {
        String id = "c-" + ((Command.OfStream) command).stream();
        return new CommandRequest(id, "anna", "clean-up", false, maxDeletes, command);
    }

    private static Command delete(String stream, String id) {
        return new Command.DeleteEvent(new StreamName(stream), new EventId(id), false);
    }

    private static Command setTtl(String stream, String id) {
        return new Command.SetTtl(new StreamName(stream), new EventId(id), OwnTtl.NONE, 60_000L);
    }
}
