package dev.ebb.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import org.junit.jupiter.api.Test;

class TextsTest {

    @Test
    void shouldSayOneAndMany() {
        assertThat(Texts.counted(0, "event")).isEqualTo("0 events");
        assertThat(Texts.counted(1, "event")).isEqualTo("1 event");
        assertThat(Texts.counted(LongNode.valueOf(1234), "event")).isEqualTo("1,234 events");
        assertThat(Texts.counted(MissingNode.getInstance(), "event")).isEqualTo("- events");
    }
}
