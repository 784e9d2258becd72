package dev.ebb.serde.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.serde.json.Defaults;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLinesTest {

    private static final String EVENT = "{\"stream\":\"s\",\"id\":\"%s\"}";

    @Test
    void shouldNumberLinesAndPassOverBlankOnes() throws IOException {
        // given
        String text = event("a") + "\n\n  \t\r\nbroken\n" + event("b") + "\n";

        // when
        List<Line> lines = read(text.getBytes(StandardCharsets.UTF_8));

        // then
        assertThat(lines).extracting(Line::number).containsExactly(1L, 4L, 5L);
        assertThat(lines.get(1)).isInstanceOf(Line.Unreadable.class);
    }

    @Test
    void shouldReadByteOrderMarkCarriageReturnsAndALastLineWithoutEnd() throws IOException {
        // given
        String text = "\uFEFF" + event("a") + "\r\n" + event("b");

        // when
        List<Line> lines = read(text.getBytes(StandardCharsets.UTF_8));

        // then
        assertThat(lines).hasSize(2).hasOnlyElementsOfType(Line.Ready.class);
    }

    @Test
    void shouldReadNothingFromAnEmptyFile() throws IOException {
        assertThat(read(new byte[0])).isEmpty();
        assertThat(read(new byte[] {'\n'})).isEmpty();
        assertThat(read(new byte[] {0x1F})).hasSize(1);
    }

    @Test
    void shouldSeeFromTheContentThatAFileIsCompressed(@TempDir Path folder) throws IOException {
        // given: two members, as from "cat a.gz b.gz"
        Path file = folder.resolve("events.jsonl");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(gzip(event("a") + "\n"));
        bytes.writeBytes(gzip(event("b") + "\n"));
        Files.write(file, bytes.toByteArray());

        // when
        try (EventLines lines = EventLines.of(Files.newInputStream(file))) {
            List<Line> read = all(lines);

            // then
            assertThat(read).hasSize(2).hasOnlyElementsOfType(Line.Ready.class);
            assertThat(lines.bytesRead()).isEqualTo(bytes.size());
        }
    }

    @Test
    void shouldFailForABrokenCompressedFile() throws IOException {
        // given
        byte[] whole = gzip((event("a") + "\n").repeat(100_000));

        // when / then
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length / 2)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("line ")
                .hasMessageContaining("the compressed data breaks off");
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, 5)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the compressed data breaks off");
    }

    @Test
    void shouldReportInvalidUtf8AndGoOn() throws IOException {
        // given
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("{\"stream\":\"".getBytes(StandardCharsets.UTF_8));
        bytes.write(0xFF);
        bytes.writeBytes(("\",\"id\":\"i\"}\n" + event("b")).getBytes(StandardCharsets.UTF_8));

        // when
        List<Line> lines = read(bytes.toByteArray());

        // then
        assertThat(lines.get(0)).isEqualTo(new Line.Unreadable(1, "it is not valid UTF-8"));
        assertThat(lines.get(1)).isInstanceOf(Line.Ready.class);
    }

    /** a stream that is given beside the lines stands for one that they do not name; an id is still theirs. */
    @Test
    void shouldTakeAStreamThatIsGivenForOneThatIsNotNamed() throws IOException {
        // given
        byte[] bytes = "{\"id\":\"a\"}\n{\"id\":\"b\",\"stream\":\"own\"}\n{}\n".getBytes(StandardCharsets.UTF_8);

        // when
        try (EventLines lines = EventLines.of(new ByteArrayInputStream(bytes), new Defaults("given", null))) {
            List<Line> read = all(lines);

            // then
            assertThat(((Line.Ready) read.get(0)).key()).isEqualTo("given");
            assertThat(((Line.Ready) read.get(1)).key()).isEqualTo("own");
            assertThat(read.get(2))
                    .isEqualTo(
                            new Line.Unreadable(3, "it names no id, by which it counts once however often it is sent"));
        }
    }

    @Test
    void shouldReadLinesOfMegabytes() throws IOException {
        // given
        String payload = "x".repeat(25 << 20);
        String text = "{\"stream\":\"s\",\"id\":\"i\",\"payload\":\"" + payload + "\"}\n" + event("b");

        // when
        List<Line> lines = read(text.getBytes(StandardCharsets.UTF_8));

        // then
        assertThat(lines).hasSize(2).hasOnlyElementsOfType(Line.Ready.class);
    }

    @Test
    void shouldReportALineThatNoMemoryShouldHold() throws IOException {
        // given
        byte[] line = new byte[(64 << 20) + 2];
        Arrays.fill(line, (byte) ' ');
        line[line.length - 1] = '\n';

        // when
        List<Line> lines = read(line);

        // then
        assertThat(lines).singleElement().isInstanceOf(Line.Unreadable.class);
    }

    private static String event(String id) {
        return EVENT.formatted(id);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static List<Line> read(byte[] bytes) throws IOException {
        try (EventLines lines = EventLines.of(new ByteArrayInputStream(bytes))) {
            return all(lines);
        }
    }

    private static List<Line> all(EventLines lines) {
        List<Line> all = new ArrayList<>();
        lines.forEachRemaining(all::add);
        return all;
    }
}
