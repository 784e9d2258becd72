package dev.ebb.api.door;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.door.CallerLimits.TooManyException;
import org.junit.jupiter.api.Test;

class CallerLimitsTest {

    private long nanos;
    private final CallerLimits limits = new CallerLimits(3, 2, 10, () -> nanos);

    @Test
    void shouldAnswerSoManyOfOneCallerAndOfAll() {
        // when
        limits.enter("a");
        limits.enter("a");

        // then
        assertThatThrownBy(() -> limits.enter("a"))
                .isInstanceOf(TooManyException.class)
                .hasMessageContaining("you already have 2");
        limits.enter("b");
        assertThatThrownBy(() -> limits.enter("c"))
                .isInstanceOf(TooManyException.class)
                .hasMessageContaining("instance");
        limits.leave("a");
        assertThatCode(() -> limits.enter("c")).doesNotThrowAnyException();
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
        limits.enter("waits");
        limits.enter("waits");

        // when
        for (int i = 0; i < 10_050; i++) {
            pass("caller " + i, 1);
        }

        // then
        assertThatThrownBy(() -> limits.enter("waits")).hasMessageContaining("you already have 2");
    }

    private void pass(String caller, int times) {
        for (int i = 0; i < times; i++) {
            limits.enter(caller);
            limits.leave(caller);
        }
    }
}
