package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowKeyTest {

    private static final Instant TIME = Instant.parse("2026-01-31T09:00:00.123456Z");

    @ParameterizedTest
    @ValueSource(strings = {"e", "", " ", "two words", " e "})
    void shouldReadWhatItWrites(String eventId) {
        // given
        RowKey key = new RowKey(TIME.toString(), eventId);

        // when
        RowKey read = RowKey.parse(key.toString());

        // then
        assertThat(key).hasToString("2026-01-31T09:00:00.123456Z " + eventId);
        assertThat(read).isEqualTo(key);
        assertThat(read.instant()).isEqualTo(TIME);
        assertThat(read.eventId()).isEqualTo(eventId);
    }

    @Test
    void shouldRefuseATextThatIsNoKey() {
        assertThatThrownBy(() -> RowKey.parse("2026-01-31T09:00:00Z"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'2026-01-31T09:00:00Z' is not a time, a blank and an event id");
        assertThatThrownBy(() -> RowKey.parse(" e"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'' is not a time such as 2026-01-31T09:00:00.123Z");
        assertThatThrownBy(() -> RowKey.parse("today e"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'today' is not a time such as 2026-01-31T09:00:00.123Z");
    }
}
