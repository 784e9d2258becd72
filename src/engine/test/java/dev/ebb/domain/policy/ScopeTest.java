package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeTest {

    @ParameterizedTest
    @CsvSource({
        "stream:orders/eu-1, STREAM, orders/eu-1",
        "stream:a:b, STREAM, a:b",
        "stream:*, STREAM, *",
        "namespace:orders, NAMESPACE, orders",
        "pattern:cache, PATTERN, cache"
    })
    void shouldReadAndWriteTheSameText(String text, Scope.Kind kind, String name) {
        assertThat(Scope.parse(text)).isEqualTo(new Scope(kind, name)).hasToString(text);
    }

    @Test
    void shouldReadTheScopeOfEverything() {
        assertThat(Scope.parse("*")).isSameAs(Scope.ALL).hasToString("*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "hold:x", "STREAM:x", "stream", ":x", "**", " *"})
    @Tag("M-11")
    void shouldSayWhatWouldBeAScope(String text) {
        assertThatThrownBy(() -> Scope.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "'" + text + "' is not a scope; write stream:<name>, namespace:<name>, pattern:<name> or *");
    }

    @ParameterizedTest
    @CsvSource({
        "stream:, the name of a stream scope must not be empty",
        "'namespace: x', the name of a namespace scope must not begin or end with a blank",
        "namespace:a/b, a namespace has no '/'; did you mean stream:a/b?",
        "namespace:/b, a namespace has no '/'; did you mean stream:/b?"
    })
    @Tag("M-11")
    void shouldRefuseBadNames(String text, String message) {
        assertThatThrownBy(() -> Scope.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldNameNothingInTheScopeOfEverything() {
        assertThatThrownBy(() -> new Scope(Scope.Kind.ALL, "x")).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Scope(Scope.Kind.ALL, "")).isEqualTo(Scope.ALL);
    }

    @Test
    void shouldSortTheWidestFirst() {
        List<String> sorted = Stream.of("stream:a", "namespace:z", "stream:B", "*", "pattern:p", "namespace:a")
                .map(Scope::parse)
                .sorted()
                .map(Scope::toString)
                .toList();

        assertThat(sorted).containsExactly("*", "pattern:p", "namespace:a", "namespace:z", "stream:B", "stream:a");
    }
}
