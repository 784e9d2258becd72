package dev.ebb.store.events;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.events.HeadWalk.Candidate;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The deadlines that have passed, as many as may go, and no more of them are read. */
@Tag("A-2")
class DeadlinesTest {

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, 0", "1, 1"})
    @Tag("M-13")
    void shouldTakeADeadlineOnceItHasPassed(long later, int taken) {
        // given
        fixture.event(event("s", "e0").expiresAt(T0 + 10));

        // then
        assertThat(taken(passed(stream(), T0 + 10 + later, 5))).hasSize(taken);
    }

    /** At its time a deadline has not passed, whatever others have. */
    @ParameterizedTest
    @CsvSource({"10, 1, 11", "11, 1, 11", "12, 2, 9223372036854775807"})
    @Tag("M-13")
    void shouldEndAtTheFirstDeadlineThatHasNotPassed(long nowMs, int taken, long beyondMs) {
        // given
        fixture.event(event("s", "e0").expiresAt(T0 + 9));
        fixture.event(event("s", "e1").expiresAt(T0 + 11));

        // when
        Deadlines deadlines = passed(stream(), T0 + nowMs, 5);

        // then
        assertThat(deadlines.beyondMs()).isEqualTo(beyondMs == Long.MAX_VALUE ? beyondMs : T0 + beyondMs);
        assertThat(taken(deadlines)).hasSize(taken);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, 0", "1, 1"})
    void shouldReadNothingBeforeTheFirstDeadlineHasPassed(long later, int iterators) {
        // given
        fixture.event(event("s", "e0").expiresAt(T0 + 10));
        fixture.resetCounts();

        // when
        passed(stream(), T0 + 10 + later, 5);

        // then
        assertThat(fixture.events.iterators).isEqualTo(iterators);
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "3, 4", "4, 4"})
    @Tag("O-2")
    void shouldReadNoMoreThanMayGo(int limit, long read) {
        // given
        for (int i = 0; i < 4; i++) {
            fixture.event(event("s", "e" + i).expiresAt(T0 + i));
        }
        fixture.resetCounts();

        // when
        Deadlines deadlines = passed(stream(), T0 + 100, limit);

        // then
        assertThat(fixture.events.walked).isEqualTo(read);
        assertThat(deadlines.nextDueMs()).isEqualTo(T0);
        assertThat(taken(deadlines)).hasSize(limit);
    }

    /** A round of a shadow does not depend on the budget of the slice. */
    @Test
    @Tag("O-5")
    void shouldReadAWholeRoundInAShadow() {
        // given
        for (int i = 0; i < 4; i++) {
            fixture.event(event("s", "e" + i).expiresAt(T0 + i));
        }

        // then
        assertThat(taken(passed(stream().shadow(), T0 + 100, 1))).hasSize(4);
    }

    @Test
    @Tag("M-14")
    void shouldShowThemInTheOrderOfDeletion() {
        // given
        fixture.event(event("s", "first").expiresAt(T0 + 30));
        fixture.event(event("s", "second").expiresAt(T0 + 10));
        fixture.event(event("s", "third").expiresAt(T0 + 20));

        // then
        assertThat(taken(passed(stream(), T0 + 100, 5))).containsExactly("first", "second", "third");
        assertThat(stream().isSuspect()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    @Tag("I-3")
    void shouldSuspectAStreamOfWhichADeadlineNamesAnEventThatIsNotThere(boolean isShadow, boolean isSuspect) {
        // given
        fixture.event(event("s", "e0").expiresAt(T0 + 10));
        fixture.event(event("s", "e1").expiresAt(T0 + 20));
        Position nowhere = new Position(0, T0 - 1, 99);
        fixture.events.put(EventKeys.due(stream().sid(), T0 + 15, nowhere), new byte[0]);
        StreamState stream = isShadow ? stream().shadow() : stream();

        // when
        List<String> taken = taken(passed(stream, T0 + 100, 5));

        // then
        assertThat(taken).containsExactly("e0", "e1");
        assertThat(stream.isSuspect()).isEqualTo(isSuspect);
    }

    private static List<String> taken(Deadlines deadlines) {
        List<String> ids = new ArrayList<>();
        for (Candidate next = deadlines.peek(); next != null; next = deadlines.peek()) {
            ids.add(next.event().id());
            deadlines.take();
        }
        return ids;
    }

    private Deadlines passed(StreamState stream, long nowMs, int limit) {
        return Deadlines.passed(fixture.store.events(), stream.root(), KeepLast.NOTHING, nowMs, limit);
    }

    private StreamState stream() {
        return Objects.requireNonNull(fixture.store.stream(new StreamName("s")));
    }
}
