package dev.ebb.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WireJsonTest {

    private record Answer(
            String name, long count, @Nullable Instant at, List<String> names, Map<String, Long> counts) {}

    @Test
    void shouldReadWhatItWrites() throws JsonProcessingException {
        // given
        Answer answer = new Answer("a/1", 3, Instant.ofEpochMilli(1_500), List.of("x"), Map.of("y", 4L));

        // when
        byte[] text = WireJson.bytes(answer);

        // then
        assertThat(new String(text, StandardCharsets.UTF_8)).contains("\"at\":\"1970-01-01T00:00:01.500Z\"");
        assertThat(WireJson.read(text, Answer.class)).isEqualTo(answer);
        assertThat(WireJson.read(WireJson.tree(answer), Answer.class)).isEqualTo(answer);
    }

    @Test
    void shouldReadAnswerOfAnotherVersion() throws JsonProcessingException {
        // given
        String text = "{\"name\":\"a/1\",\"new\":{\"field\":[1]},\"counts\":null}";

        // when
        Answer answer = WireJson.read(WireJson.parse(text), Answer.class);

        // then
        assertThat(answer).isEqualTo(new Answer("a/1", 0, null, List.of(), Map.of()));
    }

    @Test
    void shouldTellThatAnAnswerHasAnotherForm() throws JsonProcessingException {
        // given
        String text = "{\"name\":\"a/1\",\"count\":{}}";

        // then
        assertThatThrownBy(() -> WireJson.read(WireJson.parse(text), Answer.class))
                .isInstanceOf(JsonProcessingException.class);
        assertThat(WireJson.read(text.getBytes(StandardCharsets.UTF_8), Answer.class))
                .isNull();
    }
}
