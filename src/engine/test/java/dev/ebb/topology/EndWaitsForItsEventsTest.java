package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An imported execution ends, whichever of its records comes first, and however many sweeps pass in between (M-5). */
@Tag("M-5")
@Tag("O-10")
class EndWaitsForItsEventsTest {

    private static final String STREAM = "runs/1";
    private static final StreamName NAME = new StreamName(STREAM);
    private static final long MAX_AGE_MS = Duration.ofHours(2).toMillis();
    private static final long WAIT_MS = Duration.ofHours(24).toMillis();

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The end has not reached its age at the first sweep, stands at it, or is beyond it; also with a restart. */
    @ParameterizedTest
    @CsvSource({
        "-1, true, 1", "0, true, 1", "1, true, 1", "86400000, true, 1",
        "-1, true, 5", "0, true, 5", "1, true, 5", "86400000, true, 5",
        "-1, false, 1", "0, false, 1", "1, false, 1", "86400000, false, 1",
        "-1, false, 5", "0, false, 5", "1, false, 5", "86400000, false, 5"
    })
    void shouldEndWhateverComesFirst(long beyondAgeMs, boolean isEndFirst, int sweeps) {
        // given
        maxAge(MAX_AGE_MS);
        long completedMs = fixture.nowMs() + 1000 - MAX_AGE_MS - beyondAgeMs;

        // when
        send(isEndFirst, completedMs);
        fixture.settleFor(sweeps);
        fixture.restart();
        fixture.settle();
        send(!isEndFirst, completedMs);
        fixture.settle();

        // then
        assertThat(executionOne()).isEqualTo(new Execution(1, "completed", true, null, completedMs));
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(fixture.carryOut(request("c-1", delete(STREAM))).state()).isEqualTo(State.DONE);
    }

    /** The events are old as well, so that the first of them have gone before the last ones come. */
    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void shouldEndAlsoForEventsThatComeAfterOthersHaveGone(int endAt) {
        // given
        maxAge(MAX_AGE_MS);
        long longAgoMs = fixture.nowMs() - 10 * MAX_AGE_MS;

        // when
        for (int i = 0; i < 3; i++) {
            if (i == endAt) {
                fixture.execution(execution(STREAM, 1, "completed", longAgoMs));
                fixture.settle();
            }
            fixture.event(event(STREAM, "old-" + i).execution(1).expiresAt(longAgoMs));
            fixture.settle();
        }

        // then
        assertThat(executionOne().isTerminal()).isTrue();
        assertThat(fixture.ids(STREAM)).isEmpty();
        fixture.advance(WAIT_MS + 1000);
        fixture.settle();
        assertThat(fixture.reader().context(NAME)).isEmpty();
        assertThat(fixture.executionRows).isEmpty();
    }

    /** The age is over in the middle of the import, behind its first event and the end, and before its last event. */
    @ParameterizedTest
    @CsvSource({
        "end event, 60000, true", "event end, 60000, false", "event end end, 60000, false",
                "end event end, 60000, true",
        "end event, 60001, true", "event end, 60001, true", "event end end, 60001, true", "end event end, 60001, true",
        "event end, 7199000, true", "end event, 7199000, true", "event end, 0, false", "end event, 0, true",
        "end event end, 0, true"
    })
    void shouldStayEndedWhereItFallsDueInTheMiddleOfItsImport(String order, long lateMs, boolean isEnded) {
        // given
        maxAge(MAX_AGE_MS);
        long completedMs = fixture.nowMs() - lateMs;
        for (String record : order.split(" ")) {
            if (record.equals("end")) {
                fixture.execution(execution(STREAM, 1, "completed", completedMs));
            } else {
                fixture.event(event(STREAM, "a").execution(1).expiresAt(completedMs + MAX_AGE_MS));
            }
        }
        fixture.advance(MAX_AGE_MS + 1);
        fixture.settle();
        assertThat(fixture.ids(STREAM)).isEmpty();

        // when
        fixture.event(event(STREAM, "b").execution(1));
        fixture.settle();

        // then
        assertThat(executionOne().isTerminal()).isEqualTo(isEnded);
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        CommandResult result = fixture.carryOut(request("c-1", delete(STREAM)));
        assertThat(result.refusal()).isEqualTo(isEnded ? null : Refusal.STREAM_OPEN);
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void shouldWaitAsLongAsAGrave(long beyondMs, boolean isKept) {
        // given
        maxAge(MAX_AGE_MS);
        fixture.execution(execution(STREAM, 1, "completed", fixture.nowMs() - 10 * MAX_AGE_MS));
        fixture.advance(WAIT_MS + beyondMs);

        // when
        fixture.event(event(STREAM, "a").execution(1));

        // then
        assertThat(executionOne().isTerminal()).isEqualTo(isKept);
        CommandResult result = fixture.carryOut(request("c-1", delete(STREAM)));
        assertThat(result.refusal()).isEqualTo(isKept ? null : Refusal.STREAM_OPEN);
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void shouldStayForItsAgeIfThatIsLonger(long beyondMs, boolean isKept) {
        // given
        long ageMs = 2 * WAIT_MS;
        maxAge(ageMs);
        fixture.execution(execution(STREAM, 1, "completed", fixture.nowMs()));

        // when
        fixture.advance(ageMs + beyondMs);

        // then
        assertThat(fixture.reader().context(NAME).isPresent()).isEqualTo(isKept);
    }

    @Test
    void shouldGoByItsAgeWhereItsEventsCameFirst() {
        // given
        maxAge(MAX_AGE_MS);
        fixture.event(event(STREAM, "a").execution(1));
        fixture.execution(execution(STREAM, 1, "completed"));

        // when
        fixture.advance(MAX_AGE_MS + 1);
        fixture.settle();

        // then
        assertThat(fixture.reader().context(NAME)).isEmpty();
    }

    @Test
    void shouldGoByItsAgeWhereNoGravesAreKept() {
        // given
        try (TopologyFixture other =
                TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1), 10_000))
                        .graveRetention(Duration.ZERO)
                        .make())) {
            other.execution(execution(
                    STREAM, 1, "completed", other.nowMs() - Duration.ofDays(31).toMillis()));

            // when
            other.settle();

            // then
            assertThat(other.reader().context(NAME)).isEmpty();
        }
    }

    /** The work goes on after all: a start that comes behind the end opens the execution again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 0})
    void shouldProtectAnExecutionThatIsStartedAgain(long sweeps) {
        // given
        maxAge(MAX_AGE_MS);
        fixture.execution(execution(STREAM, 1, "completed", fixture.nowMs() - 10 * MAX_AGE_MS));
        fixture.settleFor((int) sweeps);

        // when
        fixture.execution(execution(STREAM, 1, "running"));
        fixture.event(event(STREAM, "a").execution(1));
        fixture.advance(WAIT_MS + MAX_AGE_MS);
        fixture.settle();

        // then
        assertThat(executionOne().isTerminal()).isFalse();
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    @Test
    @Tag("M-6")
    void shouldKeepTheParentThatTheEndNames() {
        // given
        maxAge(MAX_AGE_MS);
        StreamName parent = new StreamName("runs/parent");
        fixture.execution(new ExecutionUpdate(NAME, 1, "completed", parent, null, fixture.nowMs() - 10 * MAX_AGE_MS));
        fixture.settle();

        // when
        fixture.event(event(STREAM, "a").execution(1));

        // then
        assertThat(fixture.reader().context(NAME).orElseThrow().parent()).isEqualTo(parent);
    }

    private void send(boolean isEnd, long completedMs) {
        if (isEnd) {
            fixture.execution(execution(STREAM, 1, "completed", completedMs));
        } else {
            fixture.event(event(STREAM, "a").execution(1));
        }
    }

    private void maxAge(long ms) {
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(ms)).build());
        fixture.advance(0);
    }

    private Execution executionOne() {
        return fixture.reader().context(NAME).orElseThrow().executions().stream()
                .filter(known -> known.number() == 1)
                .findFirst()
                .orElseThrow();
    }
}
