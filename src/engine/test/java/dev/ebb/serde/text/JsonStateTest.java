package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.Refusal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonStateTest {

    @Test
    void shouldRememberCounts() {
        CommandCounts counts = new CommandCounts(1, 2, 3, 4, 5, 6, Map.of(Refusal.HELD, 7L));

        assertThat(JsonState.read(JsonState.write(counts), CommandCounts.class)).isEqualTo(counts);
    }

    @Test
    void shouldTakeAMapThatAnotherVersionDidNotKnowForEmpty() {
        assertThat(JsonState.read("{\"streamsProcessed\":1}", CommandCounts.class))
                .isEqualTo(new CommandCounts(1, 0, 0, 0, 0, 0, Map.of()));
    }

    @Test
    void shouldPassOverWhatItDoesNotKnow() {
        assertThat(JsonState.read("{\"streamsProcessed\":1,\"later\":2}", CommandCounts.class)
                        .streamsProcessed())
                .isEqualTo(1);
    }
}
