package dev.ebb.domain.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("M-10")
class OwnTtlTest {

    @ParameterizedTest
    @CsvSource({
        "0, , false, 'ttlSeconds must be at least 1, was 0'",
        "-5, , false, 'ttlSeconds must be at least 1, was -5'",
        ", -1, false, 'expiresAt must not be before 1970, was -1'",
        "1, , true, noExpiration cannot be set together with ttlSeconds or expiresAt",
        ", 1, true, noExpiration cannot be set together with ttlSeconds or expiresAt"
    })
    void shouldRefuseWishesThatContradictThemselves(
            Long ttlSeconds, Long expiresAt, boolean noExpiration, String problem) {
        assertThat(OwnTtl.problem(ttlSeconds, expiresAt, noExpiration)).isEqualTo(problem);
        assertThatThrownBy(() -> new OwnTtl(ttlSeconds, expiresAt, noExpiration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }

    @Test
    void shouldTellWishesApart() {
        assertThat(OwnTtl.NONE.isAsked()).isFalse();
        assertThat(OwnTtl.INFINITE.isAsked()).isTrue();
        assertThat(OwnTtl.INFINITE.isFinite()).isFalse();
        assertThat(OwnTtl.of(1L, null, false).isFinite()).isTrue();
        assertThat(OwnTtl.of(null, 0L, false).isFinite()).isTrue();
        assertThat(OwnTtl.of(null, null, false)).isSameAs(OwnTtl.NONE);
    }
}
