package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-24")
class SignatureRuleTest {

    @ParameterizedTest
    @ValueSource(strings = {"a\uD800b", "\uDC00", "a\u0000b"})
    void shouldRefuseTextsThatComeBackAsOthers(String text) {
        for (String field : new String[] {"reason", "actor", "updatedBy", "placedBy"}) {
            assertThat(SignatureRule.problem(field, text)).startsWith("must ");
        }
        assertThat(SignatureRule.problem("scope", text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {" anna", "anna ", "anna\nroot", "anna\u001B[31m"})
    void shouldRefuseAnAuthorWhoLooksLikeAnother(String actor) {
        assertThat(SignatureRule.problem("updatedBy", actor)).startsWith("must not ");
        assertThat(SignatureRule.problem("reason", actor)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {254, 255, 256})
    void shouldLimitAuthors(int length) {
        assertThat(SignatureRule.problemOfActor("x".repeat(length)) == null).isEqualTo(length < 256);
    }

    @ParameterizedTest
    @ValueSource(ints = {4095, 4096, 4097})
    void shouldLimitReasons(int length) {
        assertThat(SignatureRule.problemOfReason("x".repeat(length)) == null).isEqualTo(length < 4097);
    }
}
