package dev.ebb.sink;

import static dev.ebb.sink.ThingBytes.compact;
import static dev.ebb.sink.ThingBytes.compactKey;
import static dev.ebb.sink.ThingBytes.key;
import static dev.ebb.sink.ThingBytes.row;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.serde.mirror.RowBlock;
import dev.ebb.sink.FakeWorker.Topic;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of changes, against a real PostgreSQL: runs of deletes among rows, and what may go wrong inside a block. */
@Tag("A-14")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class BlockSinkTaskIT {

    private static final Headers WHY = new RecordHeaders().add("ebb-cause", "MAX_AGE".getBytes(UTF_8));

    private final Topic topic = new Topic();
    private final RowBlock block = new RowBlock();
    private ThingTable table;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        table = ThingTable.start(dataDir, """
            CREATE TABLE thing (at timestamptz, name text, kind text NOT NULL, PRIMARY KEY (at, name))
                PARTITION BY RANGE (at);
            CREATE TABLE thing_1 PARTITION OF thing FOR VALUES FROM ('2026-01-01Z') TO ('2026-02-01Z');
            CREATE TABLE thing_2 PARTITION OF thing DEFAULT;
            """);
    }

    @AfterAll
    void stop() {
        if (table != null) {
            table.close();
        }
    }

    @BeforeEach
    void empty() throws SQLException {
        table.empty();
        topic.clear();
        block.take();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void shouldDeleteExactlyTheRowsOfARunAmongOthers(int recordsAtOnce) throws Exception {
        // given
        for (int day = 1; day <= 6; day++) {
            block.put(compactKey(at(1, day), "e" + day), compact("1"), 7);
        }
        send(0);
        block.put(compactKey(at(1, 3), "late"), compact("1"), 7);
        for (int day : List.of(1, 2, 4, 5)) {
            block.delete(compactKey(at(1, day), "e" + day), WHY, 7);
        }
        block.put(compactKey(at(1, 3), "e3"), compact("2"), 7);
        block.put(compactKey(at(1, 4), "later"), compact("1"), 7);
        send(1);

        // when
        turns(2, recordsAtOnce);

        // then
        assertThat(things()).containsExactly("01-03 e3=2", "01-03 late=1", "01-04 later=1", "01-06 e6=1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void shouldKeepTheOrderOfTheChangesOfARow(int recordsAtOnce) throws Exception {
        // given
        block.put(compactKey(at(1, 1), "a"), compact("1"), 7);
        block.put(compactKey(at(1, 1), "b"), compact("1"), 7);
        block.delete(compactKey(at(1, 1), "a"), WHY, 7);
        block.delete(compactKey(at(1, 1), "b"), WHY, 7);
        block.put(compactKey(at(1, 1), "a"), compact("2"), 7);
        send(0);
        block.delete(compactKey(at(1, 1), "a"), WHY, 7);
        block.put(compactKey(at(1, 2), "a"), compact("3"), 7);
        block.put(compactKey(at(1, 1), "b"), compact("2"), 7);
        send(1);

        // when
        turns(2, recordsAtOnce);

        // then
        assertThat(things()).containsExactly("01-01 b=2", "01-02 a=3");
    }

    @Test
    void shouldDeleteARunThatLiesInSeveralPartitionsOfTheTable() throws Exception {
        // given
        table.execute("INSERT INTO thing SELECT '2026-01-31Z'::timestamptz + i * interval '1 hour', 'e', '1'"
                + " FROM generate_series(0, 99) i");
        for (int i = 0; i < 90; i++) {
            String time = "2026-%sT%02d:00:00Z".formatted(i < 24 ? "01-31" : "02-0" + i / 24, i % 24);
            block.delete(compactKey(time, "e"), WHY, 7);
        }
        send(0);

        // when
        turns(1, 1);

        // then
        assertThat(table.texts("SELECT count(*) FROM thing")).containsExactly("10");
    }

    @Test
    void shouldPassOverRowsOfARunThatAreNotThere() throws Exception {
        // given
        block.delete(compactKey(at(1, 1), "never"), WHY, 7);
        block.put(compactKey(at(1, 1), "a"), compact("1"), 7);
        send(0);

        // when
        turns(1, 1);

        // then
        assertThat(things()).containsExactly("01-01 a=1");
    }

    @Test
    void shouldReadWhatCameInJsonBeforeTheFirstBlock() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(0, 1, key("b"), row("b", "1"));
        block.delete(compactKey("a"), WHY, 7);
        block.put(compactKey("b"), compact("2"), 7);
        block.put(compactKey("c"), compact("2"), 7);
        send(2);
        topic.send(0, 3, key("c"), row("c", "3"));

        // when
        turns(1, 100);

        // then
        assertThat(things()).containsExactly("01-01 b=2", "01-01 c=3");
    }

    @Test
    void shouldSetAsideTheChangeThatIsRefusedAndWriteItsNeighbours() throws Exception {
        // given
        blockWithABadRow();

        // when
        try (FakeWorker worker = worker().reporting().start(0, 0)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("01-01 a=1", "01-01 c=1", "01-02 d=1");
            assertThat(worker.reported()).singleElement().satisfies(record -> {
                assertThat(record.key()).isEqualTo(compactKey(at(1, 1), "bad"));
                assertThat(record.value()).isEqualTo(compact("\0"));
                assertThat(record.kafkaOffset()).isEqualTo(5);
            });
            assertThat(worker.committed()).containsExactly(Map.entry(0, 7L));
        }
    }

    @Test
    void shouldReadABlockAgainThatWasWrittenInPart() throws Exception {
        // given
        blockWithABadRow();
        table.execute("CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF new.name = 'c' THEN"
                + " RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END IF; RETURN new; END $$;"
                + " CREATE TRIGGER is_full BEFORE INSERT ON thing FOR EACH ROW EXECUTE FUNCTION is_full()");
        try (FakeWorker worker = worker().start(0, 5)) {
            assertThatThrownBy(worker::turn).isInstanceOf(RetriableException.class);
            assertThat(things()).containsExactly("01-01 a=1", "01-01 old=1");
            assertThat(table.refused()).containsExactly("bad 22021");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 5L));
        } finally {
            table.execute("DROP FUNCTION is_full CASCADE");
        }

        // when
        try (FakeWorker worker = worker().reporting().start(0, 6)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("01-01 a=1", "01-01 c=1", "01-02 d=1");
            assertThat(table.refused()).containsExactly("bad 22021");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 7L));
        }
    }

    private void blockWithABadRow() {
        block.put(compactKey(at(1, 1), "a"), compact("1"), 7);
        block.put(compactKey(at(1, 1), "old"), compact("1"), 7);
        block.put(compactKey(at(1, 1), "bad"), compact("\0"), 7);
        block.put(compactKey(at(1, 1), "c"), compact("1"), 7);
        block.delete(compactKey(at(1, 1), "old"), WHY, 7);
        send(5);
        block.put(compactKey(at(1, 2), "d"), compact("1"), 7);
        send(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"02", "02 01 03 02 61", "7b 7d"})
    void shouldSetAsideWholeWhatIsNoBlock(String bytes) throws Exception {
        // given
        byte[] bad = HexFormat.of().parseHex(bytes.replace(" ", ""));
        block.put(compactKey("a"), compact("1"), 7);
        send(0);
        topic.send(0, 1, null, bad);
        block.put(compactKey("b"), compact("1"), 7);
        send(2);

        // when
        try (FakeWorker worker = worker().reporting().start(0, 0)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("01-01 a=1", "01-01 b=1");
            assertThat(worker.reported()).singleElement().satisfies(record -> assertThat(record.value())
                    .isSameAs(bad));
        }
    }

    /** Random changes in random blocks, read by tasks that come and go and by tasks that have lost their partition. */
    @Test
    void shouldEndWithTheLastChangeOfEachKeyWhateverHappens() throws Exception {
        long seed = Long.getLong("sink.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, String> expected = new TreeMap<>();
        int offset = 0;
        for (int i = 0; i < 3000; i++) {
            String name = "k" + random.nextInt(60);
            byte[] key = compactKey(at(1 + name.length() % 2, 1), name);
            if (random.nextInt(3) == 0) {
                block.delete(key, WHY, 7);
                expected.remove(name);
            } else {
                block.put(key, compact("v" + i), 7);
                expected.put(name, "v" + i);
            }
            if (random.nextInt(20) == 0) {
                send(offset++);
            }
        }
        send(offset++);
        try (FakeWorker old = worker().start(0, 0)) {
            FakeWorker current = worker().start(0, 0);
            for (int i = 0; i < 60; i++) {
                current.turn(1 + random.nextInt(5));
                if (random.nextInt(5) == 0) {
                    old.turn(1 + random.nextInt(5));
                }
                if (random.nextInt(6) == 0) {
                    current.close();
                    current = worker().start(0, random.nextInt(offset));
                }
            }
            current.turn();
            current.turn();
            current.close();
        }
        assertThat(table.texts("SELECT name || '=' || kind FROM thing ORDER BY name COLLATE \"C\""))
                .as("seed %d", seed)
                .containsExactlyElementsOf(expected.entrySet().stream()
                        .map(thing -> thing.getKey() + "=" + thing.getValue())
                        .toList());
    }

    private void turns(int count, int recordsAtOnce) {
        try (FakeWorker worker = worker().start(0, 0)) {
            for (int i = 0; i < count; i++) {
                worker.turn(recordsAtOnce);
            }
        }
    }

    private void send(long offset) {
        topic.send(0, offset, null, block.take());
    }

    private static String at(int month, int day) {
        return "2026-%02d-%02dT00:00:00Z".formatted(month, day);
    }

    private FakeWorker worker() {
        return new FakeWorker(topic, table.sink("at,name,kind"));
    }

    private List<String> things() throws SQLException {
        return table.texts("SELECT to_char(at AT TIME ZONE 'UTC', 'MM-DD ') || name || '=' || kind FROM thing").stream()
                .sorted()
                .toList();
    }
}
