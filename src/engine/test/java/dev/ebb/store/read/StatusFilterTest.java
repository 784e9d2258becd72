package dev.ebb.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.TerminalStatuses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("M-3")
class StatusFilterTest {

    @ParameterizedTest
    @CsvSource({
        ", , true",
        ", pending, true",
        "pending, Pending, true",
        "pending, done, false",
        "pending, , false",
        "'', , true",
        "'', '', true",
        "'', pending, false"
    })
    void shouldShowTheStatusThatIsAskedFor(String wanted, String status, boolean isShown) {
        assertThat(new StatusFilter(wanted, TerminalStatuses.DEFAULT).accepts(status))
                .isEqualTo(isShown);
    }
}
