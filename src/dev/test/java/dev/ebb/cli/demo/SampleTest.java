package dev.ebb.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.serde.lines.EventLines;
import dev.ebb.serde.lines.Line;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {

    @Test
    void shouldReadTheWholeSample() throws IOException {
        // given
        try (InputStream sample = Demo.class.getResourceAsStream("/sample/commits.jsonl.gz");
                EventLines lines = EventLines.of(sample)) {
            // when
            List<Line> read = new ArrayList<>();
            lines.forEachRemaining(read::add);

            // then
            assertThat(read).hasSize(20_128).hasOnlyElementsOfType(Line.Ready.class);
        }
    }
}
