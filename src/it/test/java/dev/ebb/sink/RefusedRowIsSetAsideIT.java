package dev.ebb.sink;

import static dev.ebb.sink.ThingBytes.key;
import static dev.ebb.sink.ThingBytes.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.sink.FakeWorker.Topic;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.jspecify.annotations.Nullable;
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

/** A row that the database refuses for itself is set aside with its reason, and all others are written once, in order. */
@Tag("O-24")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class RefusedRowIsSetAsideIT {

    /** A text that an index cannot take, and that compression does not make shorter. */
    private static final String TOO_LONG = new Random(1)
            .ints(6000, 'a', 'z' + 1)
            .mapToObj(c -> String.valueOf((char) c))
            .collect(Collectors.joining());

    private final Topic topic = new Topic();
    private ThingTable table;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        table = ThingTable.startWatched(dataDir);
    }

    @AfterAll
    void stop() {
        if (table != null) {
            table.close();
        }
    }

    @BeforeEach
    void empty() throws SQLException {
        table.emptyWatched();
        topic.clear();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void shouldWriteAllOthersOnceWhateverThePlaceOfTheRefusedRow(int recordsAtOnce) throws Exception {
        int rows = 7;
        for (int bad = 0; bad < rows; bad++) {
            // given
            empty();
            for (int i = 0; i < rows; i++) {
                send(i, "e" + i, i == bad ? TOO_LONG : "1");
            }

            // when
            try (FakeWorker worker = worker().start(0, 0)) {
                for (int turn = 0; turn < rows; turn++) {
                    worker.turn(recordsAtOnce);
                }

                // then: the position is past all of them, also where the last one was refused
                assertThat(worker.committed()).containsExactly(Map.entry(0, (long) rows));
            }
            int refused = bad;
            assertThat(table.texts("SELECT name FROM written ORDER BY name"))
                    .hasSize(rows - 1)
                    .doesNotHaveDuplicates()
                    .doesNotContain("e" + refused);
            assertThat(things()).hasSize(rows - 1);
            assertThat(table.refused()).containsExactly("e" + bad + " 54000");
        }
    }

    @Test
    void shouldSayWhatWasRefusedAndWhy() throws Exception {
        // given
        send(7, "a\"\u001b\uD83D\uDE00", TOO_LONG);

        // when
        run(1);

        // then
        assertThat(table.texts("SELECT concat_ws('|', connector, table_name, row_key::json ->> 'at',"
                        + " row_key::json ->> 'name', deleted, code, topic, partition, position) FROM mirror_refused"))
                .containsExactly("things|thing|2026-01-01T00:00:00Z|a\"\u001b\uD83D\uDE00|f|54000|mirror.events|0|7");
        assertThat(table.texts("SELECT reason FROM mirror_refused"))
                .singleElement()
                .asString()
                .contains("index row size")
                .doesNotContain(TOO_LONG.substring(0, 20));
    }

    @Test
    void shouldReadARefusedRowOnceOnly() throws Exception {
        // given: the last record is refused
        send(0, "a", "1");
        send(1, "b", "forbidden");
        run(1);
        String at = table.texts("SELECT refused_at FROM mirror_refused").get(0);

        // when: tasks that begin where the group is
        run(2);

        // then
        assertThat(table.texts("SELECT refused_at FROM mirror_refused")).containsExactly(at);
        assertThat(table.texts("SELECT name FROM written")).containsExactly("a");
    }

    @Test
    void shouldForgetTheRefusalOfARowThatIsWrittenLater() throws Exception {
        // given: rows of which an earlier form is there, in the other form of records
        for (String name : List.of("deleted", "better", "still")) {
            send(topic.size(), name, "1");
            send(topic.size(), name, "forbidden");
        }
        run(1, 1);
        assertThat(table.refused()).containsExactly("better 23514", "deleted 23514", "still 23514");
        assertThat(things()).as("the rows as they were before").containsExactly("better=1", "deleted=1", "still=1");

        // when
        topic.send(0, topic.size(), key("deleted"), null);
        send(topic.size(), "better", "2");
        send(topic.size(), "other", "2");
        run(1);

        // then
        assertThat(table.refused()).containsExactly("still 23514");
        assertThat(things()).containsExactly("better=2", "other=2", "still=1");

        // when: the reason is gone, and the row is sent again
        table.execute("ALTER TABLE thing DROP CONSTRAINT thing_kind_check");
        try {
            send(topic.size(), "still", "forbidden");
            run(1);
        } finally {
            table.execute("DELETE FROM thing WHERE kind = 'forbidden';"
                    + " ALTER TABLE thing ADD CONSTRAINT thing_kind_check CHECK (kind <> 'forbidden')");
        }

        // then
        assertThat(table.refused()).isEmpty();
    }

    @Test
    void shouldSetAsideADeleteWhoseKeyIsNone() throws Exception {
        // given
        send(0, "a", "1");
        topic.send(0, 1, "{\"name\":\"b\"}", null);
        topic.send(0, 2, "no key", null);
        send(3, "c", "1");

        // when
        run(1);

        // then
        assertThat(things()).containsExactly("a=1", "c=1");
        assertThat(table.texts("SELECT row_key || ' ' || deleted || ' ' || coalesce(code, '-') || position"
                        + " FROM mirror_refused ORDER BY position"))
                .containsExactly("no key can be read true -1", "no key can be read true -2");
    }

    /** Resources, locks, conflicts and an operator's intervention say nothing about the row. */
    @ParameterizedTest
    @ValueSource(strings = {"08006", "40001", "40P01", "53100", "53200", "55P03", "57014", "57P01", "58030"})
    void shouldNeverSetAsideForAFaultThatMayPass(String code) throws Exception {
        // given: the first half is written before the fault is found
        table.fault("x", code);
        send(0, "a", "1");
        send(1, "bad", "forbidden");
        send(2, "x", "1");
        send(3, "c", "1");

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            assertThatThrownBy(worker::turn).isInstanceOf(RetriableException.class);

            // then
            assertThat(things()).containsExactly("a=1");
            assertThat(table.refused()).containsExactly("bad 23514");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 2L));

            // when
            table.execute("TRUNCATE fault");
            worker.turnUntilItSucceeds();

            // then: Connect brings the same records again, and what was written is not written twice
            assertThat(things()).containsExactly("a=1", "c=1", "x=1");
            assertThat(table.texts("SELECT name FROM written ORDER BY name")).containsExactly("a", "c", "x");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 4L));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"XX000", "42501", "0A000"})
    void shouldFailForAFaultThatIsNoneOfTheRow(String code) throws Exception {
        // given
        table.fault("x", code);
        send(0, "x", "1");

        // then
        try (FakeWorker worker = worker().start(0, 0)) {
            assertThatThrownBy(worker::turn)
                    .isInstanceOf(ConnectException.class)
                    .isNotInstanceOf(RetriableException.class);
            assertThat(table.refused()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"P0001", "22000", "23000", "44000", "54000"})
    void shouldSetAsideWhatATriggerRefuses(String code) throws Exception {
        // given
        table.fault("x", code);
        send(0, "x", "1");
        send(1, "y", "1");

        // when
        run(1);

        // then
        assertThat(table.refused()).containsExactly("x " + code);
        assertThat(things()).containsExactly("y=1");
        if (!code.startsWith("54")) {
            assertThat(table.texts("SELECT reason FROM mirror_refused"))
                    .singleElement()
                    .asString()
                    .as("what a trigger says may be values of the row")
                    .contains(code)
                    .doesNotContain("a fault");
        }
    }

    /** Random changes, of which the database refuses some, read by tasks that come and go and meet faults. */
    @Test
    void shouldEndWithTheLastGoodChangeOfEachRowWhateverHappens() throws Exception {
        long seed = Long.getLong("sink.seed", System.nanoTime());
        System.out.println("sink.seed=" + seed);
        Random random = new Random(seed);
        Map<String, String> expected = new TreeMap<>();
        TreeSet<String> refused = new TreeSet<>();
        for (int i = 0; i < 600; i++) {
            String name = "k" + random.nextInt(40);
            int kind = random.nextInt(10);
            if (kind < 2) {
                send(i, name, kind == 0 ? TOO_LONG : "forbidden");
                refused.add(name + (kind == 0 ? " 54000" : " 23514"));
                refused.remove(name + (kind == 0 ? " 23514" : " 54000"));
            } else {
                String text = kind < 4 ? null : "v" + i;
                send(i, name, text);
                expected.compute(name, (same, before) -> text);
                refused.removeIf(row -> row.startsWith(name + " "));
            }
        }
        FakeWorker worker = worker().start(0, 0);
        for (int i = 0; i < 60; i++) {
            if (random.nextInt(5) == 0) {
                table.fault("k" + random.nextInt(40), "53100");
            }
            try {
                worker.turn(1 + random.nextInt(30));
            } catch (RetriableException e) {
                table.execute("TRUNCATE fault");
            }
            if (random.nextInt(8) == 0) {
                worker.close();
                worker = worker().start(0, random.nextInt(600));
            }
        }
        table.execute("TRUNCATE fault");
        worker.turn();
        worker.turn();
        worker.close();

        assertThat(things())
                .as("seed %d", seed)
                .containsExactlyElementsOf(new TreeSet<>(expected.entrySet().stream()
                        .map(thing -> thing.getKey() + "=" + thing.getValue())
                        .toList()));
        assertThat(table.refused()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(refused);
    }

    private void send(long offset, String name, @Nullable String kind) {
        String escaped = name.replace("\"", "\\\"").replace("\u001b", "\\u001b");
        topic.send(0, offset, key(escaped), kind == null ? null : row(escaped, kind));
    }

    private void run(int turns) {
        run(turns, Integer.MAX_VALUE);
    }

    private void run(int turns, int recordsAtOnce) {
        try (FakeWorker worker = worker().start(0, 0)) {
            for (int i = 0; i < (recordsAtOnce == 1 ? topic.size() : turns); i++) {
                worker.turn(recordsAtOnce);
            }
        }
    }

    private FakeWorker worker() {
        return new FakeWorker(topic, table.sink());
    }

    private List<String> things() throws SQLException {
        return table.texts("SELECT name || '=' || kind FROM thing ORDER BY name || '=' || kind COLLATE \"C\"");
    }
}
