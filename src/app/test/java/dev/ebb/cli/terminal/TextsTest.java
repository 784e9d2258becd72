package dev.ebb.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextsTest {

    @Test
    void shouldSayOneAndMany() {
        assertThat(Texts.counted(0, "event")).isEqualTo("0 events");
        assertThat(Texts.counted(1, "event")).isEqualTo("1 event");
        assertThat(Texts.counted(LongNode.valueOf(1234), "event")).isEqualTo("1,234 events");
        assertThat(Texts.counted(MissingNode.getInstance(), "event")).isEqualTo("- events");
    }

    @ParameterizedTest
    @CsvSource({
        "PT720H, in 30 d",
        "PT719H59M58S, in 30 d",
        "PT47H59M30S, in 2 d",
        "PT36H, in 36 h",
        "PT23H59M59S, in 24 h",
        "PT1H59M30S, in 2 h",
        "PT90S, in 90 s",
        "PT-25H, 25 h ago"
    })
    void shouldRoundADistance(Duration until, String text) {
        assertThat(Texts.distance(Instant.EPOCH.plus(until), Instant.EPOCH)).isEqualTo(text);
    }
}
