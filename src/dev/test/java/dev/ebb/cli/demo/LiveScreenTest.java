package dev.ebb.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveScreenTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

    private final LiveScreen screen =
            new LiveScreen(Terminal.plain(NOWHERE, NOWHERE), NOW.minusSeconds(30), "http://127.0.0.1:8480");

    @Test
    void shouldShowWhatCameInWhatIsThereAndWhatWent() throws JsonProcessingException {
        // given
        LiveFigures figures = new LiveFigures(
                Json.parse("{\"state\":\"RUNNING\",\"counts\":{\"ingested\":1234,\"removed\":"
                        + "{\"MAX_AGE\":{\"events\":10,\"bytes\":5},\"TTL\":{\"events\":5,\"bytes\":5}}},"
                        + "\"namespaces\":{\"kafka\":{\"events\":77}},\"mirror\":{\"lag\":3}}"),
                Map.of("kafka", 76L),
                List.of(new LiveFigures.Removal(NOW, "TTL", "web/\u001b[2J", 5, "event")));

        // when
        String picture = String.join("\n", screen.lines(figures, "news", NOW));

        // then
        assertThat(picture)
                .contains("RUNNING", "30 s", "news", "1,234 events", "kafka", "77", "76 rows", "3 changes", "MAX_AGE")
                .contains("http://127.0.0.1:8480  in a browser")
                .contains("web/\\u001b[2J")
                .doesNotContain("\u001b");
    }

    @Test
    void shouldDrawWhileNobodyAnswers() {
        // when
        List<String> lines = screen.lines(new LiveFigures(Json.object(), Map.of(), List.of()), "", NOW);

        // then
        assertThat(String.join("\n", lines)).contains("not there", "being set up");
    }
}
