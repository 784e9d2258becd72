package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.model.SeededCases;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of removals, written and read. */
@Tag("A-5")
@Tag("F-13")
class RunReaderTest {

    @Test
    void shouldReadWhatWasWritten() {
        SeededCases.forAll(200, random -> {
            RunWriter run = new RunWriter();
            List<String> expected = new ArrayList<>();
            for (int i = random.nextInt(60); i >= 0; i--) {
                String stream = "s/" + random.nextInt(3);
                String id = random.nextBoolean() ? "" + random.nextInt(1000) : "é😀".repeat(random.nextInt(9));
                if (random.nextInt(5) == 0) {
                    Instant at = Instant.ofEpochSecond(random.nextInt(), random.nextInt(1000) * 1000L);
                    run.addRow(new StreamName(stream), at, id);
                    long micros = at.getEpochSecond() * 1_000_000 + at.getNano() / 1000;
                    expected.add(stream + " row " + micros + " " + id);
                } else {
                    long storedAt = random.nextBoolean() ? random.nextLong() : 1_800_000_000_000L + random.nextInt(9);
                    Position position = new Position(random.nextInt(3), random.nextInt(9), random.nextInt(9));
                    Bytes key = EventKeys.positional(Range.ORDERED, random.nextInt(3), position);
                    boolean hasRow = random.nextInt(4) > 0;
                    run.add(hasRow ? new StreamName(stream) : null, key, storedAt, id);
                    expected.add((hasRow ? stream : "") + " " + key + " " + storedAt + " " + id);
                }
            }
            assertThat(run.size()).isEqualTo(expected.size());
            assertThat(RunReader.isRun(run.key())).isTrue();
            assertThat(read(run.take())).isEqualTo(expected);
            assertThat(run.size()).isZero();
            assertThat(read(run.take())).as("the next run").isEmpty();
        });
    }

    /** A time that no long holds is infinite in SQL. */
    @ParameterizedTest
    @CsvSource({"+1000000000-12-31T23:59:59Z, 9223372036854775807", "-1000000000-01-01T00:00:00Z, -9223372036854775808"
    })
    void shouldWriteAnInfiniteTimeAsTheEndOfTheRange(String time, long micros) {
        RunWriter run = new RunWriter();
        run.addRow(new StreamName("s"), Instant.parse(time), "e");

        assertThat(read(run.take())).containsExactly("s row " + micros + " e");
    }

    @Test
    void shouldKnowTheStreamsOfItsEvents() {
        RunWriter run = new RunWriter();
        run.add(new StreamName("s"), EventKeys.byId(Range.PINNED, 7, "e"), 1, "e");

        assertThat(run.has(7)).isTrue();
        assertThat(run.has(8)).isFalse();
        run.clear();
        assertThat(run.has(7)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\2", "\1\1s\2\1\0\0\0\0", "\1\1s\2\0\5ab", "\1\177"})
    void shouldRefuseDamagedBytes(String bytes) {
        byte[] damaged = bytes.getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> read(damaged))
                .isInstanceOfAny(IllegalStateException.class, IndexOutOfBoundsException.class);
    }

    private static List<String> read(byte[] run) {
        List<String> read = new ArrayList<>();
        RunReader.read(run, new RunReader.Visitor() {

            @Override
            public void removed(String stream, byte[] key, long storedAt, byte[] id) {
                read.add(
                        stream + " " + Bytes.wrap(key) + " " + storedAt + " " + new String(id, StandardCharsets.UTF_8));
            }

            @Override
            public void rowRemoved(String stream, long micros, byte[] id) {
                read.add(stream + " row " + micros + " " + new String(id, StandardCharsets.UTF_8));
            }
        });
        return read;
    }
}
