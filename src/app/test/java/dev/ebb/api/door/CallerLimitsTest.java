package dev.ebb.api.door;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.door.CallerLimits.TooManyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerLimitsTest {

    private long nanos;
    private final CallerLimits limits = new CallerLimits(3, 2, 10, () -> nanos);

    @Test
    void shouldAnswerSoManyOfOneCallerAndOfAll() {
        // when
        limits.enter("a", Reserve.NONE);
        limits.enter("a", Reserve.NONE);

        // then
        assertThatThrownBy(() -> limits.enter("a", Reserve.NONE))
                .isInstanceOf(TooManyException.class)
                .hasMessageContaining("you already have 2");
        limits.enter("b", Reserve.NONE);
        assertThatThrownBy(() -> limits.enter("c", Reserve.NONE))
                .isInstanceOf(TooManyException.class)
                .hasMessageContaining("instance");
        limits.leave("a");
        assertThatCode(() -> limits.enter("c", Reserve.NONE)).doesNotThrowAnyException();
    }

    @Test
    void shouldLetSoManyInEachSecondAndTwiceAsManyAtOnce() {
        // when
        pass("a", 20);

        // then: the last one of the burst was the 20th
        assertThatThrownBy(() -> pass("a", 1)).hasMessageContaining("10 requests each second");
        assertThatCode(() -> pass("b", 20)).doesNotThrowAnyException();
        nanos += 1_000_000_000;
        pass("a", 10);
        assertThatThrownBy(() -> pass("a", 1)).isInstanceOf(TooManyException.class);
    }

    @Test
    void shouldForgetCallersUnlessTheyMustWait() {
        // given
        limits.enter("waits", Reserve.NONE);
        limits.enter("waits", Reserve.NONE);

        // when
        for (int i = 0; i < 10_050; i++) {
            pass("caller " + i, 1);
        }

        // then
        assertThatThrownBy(() -> limits.enter("waits", Reserve.NONE)).hasMessageContaining("you already have 2");
    }

    /** As many as fit beside a crowd of the same caller, for each kind of urgent request. */
    @ParameterizedTest
    @CsvSource({"NONE, 0", "OF_DELETES, 4", "OF_HOLDS, 8"})
    void shouldLetUrgentRequestsOfACallerInBesideItsCrowd(Reserve reserve, int places) {
        // given
        limits.enter("a", Reserve.NONE);
        limits.enter("a", Reserve.NONE);

        // when
        for (int i = 0; i < places; i++) {
            limits.enter("a", reserve);
        }

        // then
        assertThatThrownBy(() -> limits.enter("a", reserve)).hasMessageContaining("you already have " + (2 + places));
    }

    /** Nor do two callers who take all places of the instance. */
    @ParameterizedTest
    @CsvSource({"NONE, 0", "OF_DELETES, 8", "OF_HOLDS, 16"})
    void shouldLetUrgentRequestsInBesideTheCrowdsOfAll(Reserve reserve, int places) {
        // given
        for (int i = 0; i < 3; i++) {
            limits.enter("crowd " + i, Reserve.NONE);
        }

        // when
        for (int i = 0; i < places; i++) {
            limits.enter("caller " + i, reserve);
        }

        // then
        assertThatThrownBy(() -> limits.enter("another", reserve))
                .hasMessageContaining("already answering " + (3 + places) + " requests");
    }

    /** Deletes of one stream each are a crowd as well. */
    @Test
    void shouldKeepPlacesForHoldsThatSmallDeletesCannotTake() {
        // given
        for (int i = 0; i < 2 + Reserve.OF_DELETES.ofOne(); i++) {
            limits.enter("a", Reserve.OF_DELETES);
        }
        assertThatThrownBy(() -> limits.enter("a", Reserve.OF_DELETES)).isInstanceOf(TooManyException.class);

        // then
        assertThatCode(() -> limits.enter("a", Reserve.OF_HOLDS)).doesNotThrowAnyException();
    }

    /** The burst of a crowd leaves no right to ask; what is lent is paid back before others are let in. */
    @Test
    void shouldLendUrgentRequestsTheRightToBeSent() {
        // given
        pass("a", 20);

        // when
        for (int i = 0; i < Reserve.OF_HOLDS.ofOne(); i++) {
            limits.enter("a", Reserve.OF_HOLDS);
            limits.leave("a");
        }

        // then
        assertThatThrownBy(() -> limits.enter("a", Reserve.OF_HOLDS)).hasMessageContaining("10 requests each second");
        nanos += 1_000_000_000;
        pass("a", 2);
        assertThatThrownBy(() -> pass("a", 1)).hasMessageContaining("10 requests each second");
    }

    private void pass(String caller, int times) {
        for (int i = 0; i < times; i++) {
            limits.enter(caller, Reserve.NONE);
            limits.leave(caller);
        }
    }
}
