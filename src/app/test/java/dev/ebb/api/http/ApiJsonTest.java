package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ApiJsonTest {

    @Test
    @Tag("O-17")
    void shouldReadTheJsonOfAnotherInstanceForANamespaceWithAnyCharacter() {
        // given
        Map<String, Integer> namespaces = Map.of("\uD83D\uDCA5", 1, "\u00E9\uFFFD \u0007", 2);

        // then
        assertThat((Object) ApiJson.read(ApiJson.bytes(namespaces), Map.class)).isEqualTo(namespaces);
    }

    @Test
    @Tag("O-17")
    void shouldReadABodyWhoseFieldNamesAreEscapedAsOtherProgramsDo() {
        // given
        String body = "{\"\\ud83d\\udca5\":1}";

        // then
        assertThat((Object) ApiJson.parse(body).path("\uD83D\uDCA5").asInt()).isEqualTo(1);
        assertThat((Object) ApiJson.parseStrictly(body).path("\uD83D\uDCA5").asInt())
                .isEqualTo(1);
    }
}
