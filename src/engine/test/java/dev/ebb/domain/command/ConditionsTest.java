package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams, and parts of them, that a command takes. */
class ConditionsTest {

    @Test
    void shouldBeEmptyWithoutAnyConditionAlone() {
        assertThat(new PruneCondition(null, null).isEmpty()).isTrue();
        assertThat(new PruneCondition(0L, null).isEmpty()).isFalse();
        assertThat(new PruneCondition(null, 0L).isEmpty()).isFalse();
        assertThat(new StreamFilter(null, null, null, 1, true).isEmpty()).isTrue();
        assertThat(new StreamFilter(List.of(), null, null, 1, true).isEmpty()).isFalse();
        assertThat(new StreamFilter(null, 0L, null, 1, true).isEmpty()).isFalse();
        assertThat(new StreamFilter(null, null, "n", 1, true).isEmpty()).isFalse();
    }

    @Test
    void shouldKeepAtLeastNone() {
        assertThatThrownBy(() -> new PruneCondition(-1L, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keep-last must not be negative, was -1");
        assertThat(new PruneCondition(0L, null).keepLast()).isZero();
        assertThat(new PruneCondition(1L, null).keepLast()).isOne();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0})
    void shouldRefuseALimitThatTakesNoStream(long limit) {
        assertThatThrownBy(() -> new StreamFilter(null, null, null, limit, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the limit must be positive, was " + limit);
        assertThatCode(() -> new StreamFilter(null, null, null, 1, true)).doesNotThrowAnyException();
    }

    @Test
    void shouldTellNoStreamsFromAnyStream() {
        assertThat(new StreamFilter(null, null, null, 1, true).streams()).isNull();
        assertThat(new StreamFilter(List.of(), null, null, 1, true).streams()).isEmpty();
        assertThat(new StreamFilter(List.of(new StreamName("s")), null, null, 1, true).streams())
                .containsExactly(new StreamName("s"));
    }
}
