package dev.ebb.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-20")
class MetadataRuleTest {

    @ParameterizedTest
    @CsvSource({"0, true", "999, true", "1000, true", "1001, false"})
    void shouldTakeAThousandNames(int count, boolean isGood) {
        Map<String, String> metadata =
                IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "name " + i, i -> ""));

        check(metadata, isGood, "metadata must have at most 1000 names, had 1001");
    }

    @ParameterizedTest
    @CsvSource({"a, 1023, true", "a, 1024, true", "a, 1025, false", "é, 511, true", "é, 512, true", "é, 513, false"})
    void shouldTakeNamesOfAKibibyte(String character, int count, boolean isGood) {
        String message =
                "names in metadata must have at most 1024 bytes, one had " + count * (character.equals("a") ? 1 : 2);

        check(Map.of(character.repeat(count), ""), isGood, message);
        check(Map.of("", ""), true, "");
    }

    @ParameterizedTest
    @CsvSource({
        "a, 65535, true", "a, 65536, true", "a, 65537, false",
        "\uD83D\uDE00, 16383, true", "\uD83D\uDE00, 16384, true", "\uD83D\uDE00, 16385, false"
    })
    void shouldTakeValuesOf64Kibibytes(String character, int count, boolean isGood) {
        String message = "values in metadata must have at most 65536 bytes, that of 'n' had "
                + count * (character.equals("a") ? 1 : 4);

        check(Map.of("n", character.repeat(count)), isGood, message);
    }

    @Test
    @Tag("O-24")
    void shouldRefuseCharactersThatSqlCannotHold() {
        check(Map.of("a\u0000", ""), false, "names in metadata must not contain U+0000");
        check(Map.of("a\ud800", ""), false, "names in metadata must be valid Unicode");
        check(Map.of("n", "\u0000"), false, "the value of 'n' in metadata must not contain U+0000");
        check(Map.of("n", "\udc00"), false, "the value of 'n' in metadata must be valid Unicode");
        check(Map.of("\u0001\n", " \ud83d\ude00\u007f"), true, "");
    }

    private static void check(Map<String, String> metadata, boolean isGood, String message) {
        assertThat(MetadataRule.problem(metadata)).isEqualTo(isGood ? null : message);
    }
}
