package dev.ebb.domain.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.model.SeededCases;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of streams; ids of events keep the same rules. */
class StreamNameTest {

    private static final String EMOJI = "\uD83D\uDE80";

    static Stream<String> goodNames() {
        return Stream.of(
                "a",
                "orders/eu-1",
                "a b",
                "é",
                EMOJI,
                "x".repeat(255),
                "é".repeat(127) + "x",
                "漢".repeat(85),
                EMOJI.repeat(63) + "xyz",
                "'; DROP TABLE event; --",
                "a/",
                "a//",
                "\u0800".repeat(85),
                "\uFFFD".repeat(85),
                "\uD800\uDC00".repeat(63) + "xyz");
    }

    static Stream<Arguments> badNames() {
        return Stream.of(
                Arguments.of("", "must not be empty"),
                Arguments.of(" a", "must not begin or end with a blank"),
                Arguments.of("a\t", "must not begin or end with a blank"),
                Arguments.of("\u00A0a", "must not begin or end with a blank"),
                Arguments.of("a\u2028", "must not begin or end with a blank"),
                Arguments.of("a\u0000b", "must not contain control characters"),
                Arguments.of("a\nb", "must not contain control characters"),
                Arguments.of("a\u0085b", "must not contain control characters"),
                Arguments.of("a\u007Fb", "must not contain control characters"),
                Arguments.of("a\uD83D", "must be valid Unicode"),
                Arguments.of("\uDE80a", "must be valid Unicode"),
                Arguments.of("a\uD800b", "must be valid Unicode"),
                Arguments.of("a\uDFFFb", "must be valid Unicode"),
                Arguments.of("\uDE80\uD83D", "must be valid Unicode"),
                Arguments.of("x".repeat(256), "must not be longer than 255 bytes, has 256"),
                Arguments.of("é".repeat(128), "must not be longer than 255 bytes, has 256"),
                Arguments.of("\u0800".repeat(86), "must not be longer than 255 bytes, has 258"),
                Arguments.of("\uD800\uDC00".repeat(64), "must not be longer than 255 bytes, has 256"),
                Arguments.of(EMOJI.repeat(64), "must not be longer than 255 bytes, has 256"));
    }

    @ParameterizedTest
    @MethodSource("goodNames")
    void shouldTakeGoodNames(String name) {
        assertThat(StreamName.problem(name)).isNull();
        assertThat(new StreamName(name)).hasToString(name);
        assertThat(EventId.problem(name)).isNull();
        assertThat(new EventId(name)).hasToString(name);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void shouldSayWhatIsWrongWithAName(String name, String problem) {
        assertThat(StreamName.problem(name)).isEqualTo(problem);
        assertThat(EventId.problem(name)).isEqualTo(problem);
        assertThatThrownBy(() -> new StreamName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stream name " + problem);
        assertThatThrownBy(() -> new EventId(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("event id " + problem);
    }

    /** The id of an event may look like that: nothing is addressed by its beginning. */
    @ParameterizedTest
    @Tag("O-23")
    @CsvSource(
            delimiter = '|',
            value = {
                "/ | must not begin with '/', since its namespace would have no name",
                "/devices/1 | must not begin with '/', since its namespace would have no name",
                "a /1 | must not have a blank before its first '/', at the end of its namespace"
            })
    void shouldRefuseANamespaceThatNoScopeCanName(String name, String problem) {
        assertThat(StreamName.problem(name)).isEqualTo(problem);
        assertThat(EventId.problem(name)).isNull();
        assertThatThrownBy(() -> new StreamName(name)).hasMessage("stream name " + problem);
    }

    @Test
    void shouldTakeAMissingNameForAnEmptyOne() {
        assertThat(StreamName.problem(null)).isEqualTo("must not be empty");
    }

    @ParameterizedTest
    @CsvSource({"orders/eu-1, orders", "a/b/c, a", "plain, default", "default/x, default"})
    void shouldFindTheNamespaceBeforeTheFirstSlash(String name, String namespace) {
        assertThat(new StreamName(name).namespace()).isEqualTo(namespace);
    }

    @Test
    void shouldSortByName() {
        assertThat(new StreamName("a")).isLessThan(new StreamName("b")).isEqualByComparingTo(new StreamName("a"));
        assertThat(new StreamName("b")).isGreaterThan(new StreamName("a"));
    }

    @ParameterizedTest
    @ValueSource(ints = {254, 255, 256})
    void shouldCountBytesAsUtf8Does(int bytes) {
        SeededCases.forAll(200, random -> {
            StringBuilder name = new StringBuilder("x");
            while (name.toString().getBytes(StandardCharsets.UTF_8).length < bytes - 4) {
                name.appendCodePoint(new int[] {'a', 'é', '漢', 0x1F680}[random.nextInt(4)]);
            }
            while (name.toString().getBytes(StandardCharsets.UTF_8).length < bytes) {
                name.append('z');
            }

            assertThat(StreamName.problem(name.toString()) == null).isEqualTo(bytes <= 255);
        });
    }
}
