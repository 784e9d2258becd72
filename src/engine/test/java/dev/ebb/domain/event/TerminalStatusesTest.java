package dev.ebb.domain.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("M-3")
class TerminalStatusesTest {

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "completed", "failed", "cancelled", "read", "COMPLETED", "Read", "fAiLeD"})
    void shouldTakePlainFactsAndFinishedWorkForTerminal(String status) {
        assertThat(TerminalStatuses.DEFAULT.isTerminal(status)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pending", "processing", "running", "unread", "nobody has thought of", " ", "completed "})
    void shouldProtectEverythingElse(String status) {
        assertThat(TerminalStatuses.DEFAULT.isTerminal(status)).isFalse();
    }

    @Test
    void shouldCompareInAnyLanguage() {
        // given
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));

            // then
            assertThat(TerminalStatuses.DEFAULT.isTerminal("FAILED")).isTrue();
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldTakeAnotherSet() {
        TerminalStatuses own = new TerminalStatuses(List.of(" Done ", "archived"));

        assertThat(own.isTerminal("DONE")).isTrue();
        assertThat(own.isTerminal("completed")).isFalse();
        assertThat(own.isTerminal(null)).isTrue();
        assertThat(own).hasToString("archived,done");
    }

    @Test
    void shouldHaveOneFingerprintForEqualSetsOnly() {
        int fingerprint = new TerminalStatuses(List.of("a", "b")).fingerprint();

        assertThat(new TerminalStatuses(List.of("B", "a", "A")).fingerprint()).isEqualTo(fingerprint);
        assertThat(new TerminalStatuses(List.of("a")).fingerprint()).isNotEqualTo(fingerprint);
        assertThat(new TerminalStatuses(List.of("a", "b", "c")).fingerprint()).isNotEqualTo(fingerprint);
    }

    @ParameterizedTest
    @CsvSource({
        "done, done, true",
        "done, DONE, true",
        "done, open, false",
        ", '', true",
        "'', , true",
        ", , true",
        ", open, false",
        "open, , false"
    })
    void shouldTellTwoStatusesApartAsItComparesThem(String status, String other, boolean isSame) {
        assertThat(TerminalStatuses.isSame(status, other)).isEqualTo(isSame);
    }

    @Test
    void shouldRefuseABlankStatus() {
        assertThatThrownBy(() -> new TerminalStatuses(List.of("done", " ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a terminal status must not be blank");
    }
}
