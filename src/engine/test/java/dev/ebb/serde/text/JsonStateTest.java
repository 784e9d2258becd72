package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.topology.Outcomes;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonStateTest {

    @Test
    void shouldRememberCounts() {
        Deleted counts = Outcomes.deleted(1, 2, 3, 4, 5, 6, Map.of(Refusal.HELD, 7L));

        assertThat(JsonState.read(JsonState.write(counts), Deleted.class)).isEqualTo(counts);
    }

    @Test
    void shouldTakeAMapThatAnotherVersionDidNotKnowForEmpty() {
        assertThat(JsonState.read("{\"streamsProcessed\":1}", Deleted.class))
                .isEqualTo(Outcomes.deleted(1, 0, 0, 0, 0, 0, Map.of()));
    }

    @Test
    void shouldPassOverWhatItDoesNotKnow() {
        assertThat(JsonState.read("{\"streamsProcessed\":1,\"later\":2}", Deleted.class)
                        .streamsProcessed())
                .isEqualTo(1);
    }
}
