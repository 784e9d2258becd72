package dev.ebb.devstack.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoopbackRulesTest {

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8083", "127.0.0.1", "127.0.0.1:8083", "[::1]", "[::1]:8083"})
    void shouldTakeWhatIsSentToLoopback(String host) {
        assertThat(LoopbackRules.refusal(List.of(host), List.of(), null, false)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "evil.example:8083",
                "localhost.evil.example",
                "127.0.0.1.evil.example:8083",
                "evil.example@127.0.0.1",
                "127.0.0.1 ",
                "127.0.0.1:8083:8083",
                "0.0.0.0:8083",
                "[::1"
            })
    void shouldRefuseANameThatWasMadeToPointHere(String host) {
        assertThat(LoopbackRules.refusal(List.of(host), List.of(), null, true)).isPresent();
    }

    @Test
    void shouldRefuseARequestWithoutOneHost() {
        assertThat(LoopbackRules.refusal(List.of(), List.of(), null, true)).isPresent();
        assertThat(LoopbackRules.refusal(List.of("localhost", "localhost"), List.of(), null, true))
                .isPresent();
    }

    @Test
    void shouldTakeItsOwnPages() {
        assertThat(LoopbackRules.refusal(
                        List.of("localhost:8083"), List.of("http://localhost:8083"), "same-origin", false))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "http://evil.example",
                "http://localhost",
                "http://localhost:8084",
                "http://127.0.0.1:8083",
                "https://localhost:8083",
                "chrome-extension://localhost:8083"
            })
    void shouldRefuseThePagesOfOthers(String origin) {
        assertThat(LoopbackRules.refusal(List.of("localhost:8083"), List.of(origin), null, true))
                .isPresent();
    }

    @Test
    void shouldRefuseASecondOriginThatIsNotItsOwn() {
        assertThat(LoopbackRules.refusal(
                        List.of("localhost"), List.of("http://localhost", "http://evil.example"), null, true))
                .isPresent();
    }

    @Test
    void shouldLetPagesOfOtherSitesReadNothingButWhatTheyCannotSee() {
        assertThat(LoopbackRules.refusal(List.of("localhost"), List.of(), "cross-site", true))
                .isEmpty();
        assertThat(LoopbackRules.refusal(List.of("localhost"), List.of(), "cross-site", false))
                .isPresent();
        assertThat(LoopbackRules.refusal(List.of("localhost"), List.of(), "none", false))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void shouldKnowWhatReads(String method) {
        assertThat(LoopbackRules.isRead(method)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "POST", "PATCH", "DELETE", "get", ""})
    void shouldTakeEverythingElseForAChange(String method) {
        assertThat(LoopbackRules.isRead(method)).isFalse();
    }
}
