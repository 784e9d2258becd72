package dev.ebb.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-16")
class YamlOutputTest {

    /** A parser of YAML 1.1 takes each of them for something else than a text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-28",
                "2026-11-28T10:00:00.000Z",
                "1:30",
                "=",
                "<<",
                "007",
                "0x1f",
                "1_000",
                "1e3",
                ".5",
                "no",
                "On",
                "y",
                "NULL",
                "~",
                " a",
                "a: b",
                "a:"
            })
    void shouldQuoteTextsThatReadAsSomethingElse(String text) {
        String yaml = Json.yaml(Json.object().put("id", text).put(text, "x"));

        assertThat(yaml).isEqualTo("id: \"" + text + "\"\n\"" + text + "\": x\n");
    }

    @ParameterizedTest
    @CsvSource({"orders/eu-1", "namespace:orders", "30d", "MAX_AGE", "node"})
    void shouldLeaveWordsAsTheyAre(String text) {
        assertThat(Json.yaml(Json.object().put("id", text))).isEqualTo("id: " + text + "\n");
    }
}
