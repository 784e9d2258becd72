package dev.ebb.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts from outside: valid Unicode, and not too long. */
class TextsTest {

    private static final String PAIR = "\uD83D\uDE00";

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "é漢", PAIR, "a" + PAIR + "b", PAIR + PAIR})
    void shouldAcceptTextsThatUtf8CanWrite(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

        assertThat(Unicode.isValid(text)).isTrue();
        assertThat(Unicode.decode(bytes, 0, bytes.length)).hasValue(text);
        for (int i = 0; i < text.length(); i++) {
            assertThat(Unicode.isLoneSurrogate(text, i)).isFalse();
        }
    }

    @Test
    void shouldRefuseHalfOfASurrogatePair() {
        assertLone("\uD83D", 0);
        assertLone("a\uD83D", 1);
        assertLone("\uD83Da", 0);
        assertLone("\uD83D" + PAIR, 0);
        assertLone("\uDE00", 0);
        assertLone("a\uDE00", 1);
        assertLone(PAIR + "\uDE00", 2);
    }

    @Test
    void shouldRefuseBytesThatAreNoUtf8() {
        assertThat(Unicode.decode(new byte[] {'a', (byte) 0xC3}, 0, 2)).isEmpty();
        assertThat(Unicode.decode(new byte[] {'a', (byte) 0xC3}, 0, 1)).hasValue("a");
    }

    @ParameterizedTest
    @CsvSource({
        "abc, abc",
        "abcd, abcd",
        "abcde, abcd… (5 characters)",
        "abc😀, abc… (5 characters)",
        "ab😀c, ab😀… (5 characters)"
    })
    void shouldShortenATextThatIsTooLong(String text, String shortened) {
        assertThat(Shortened.to(4, text)).isEqualTo(shortened);
    }

    private static void assertLone(String text, int index) {
        assertThat(Unicode.isLoneSurrogate(text, index)).isTrue();
        assertThat(Unicode.isValid(text)).isFalse();
    }
}
