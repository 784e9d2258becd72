package dev.ebb.sink;

import static dev.ebb.sink.ThingBytes.key;
import static dev.ebb.sink.ThingBytes.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.sink.FakeWorker.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
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

/** The task of the sink against a real PostgreSQL, with a worker that does what is hard to bring about. */
@Tag("A-14")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class MirrorSinkTaskIT {

    private final Topic topic = new Topic();
    private ThingTable table;
    private Path log;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        log = dataDir.resolve("logs").resolve("postgres.log");
        table = ThingTable.start(dataDir, """
            CREATE TABLE thing (at timestamptz, name text, kind text NOT NULL, size bigint, good boolean, body bytea,
                notes jsonb, made text DEFAULT 'by the database', PRIMARY KEY (at, name))
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
    }

    @Test
    void shouldWriteEveryTypeAndLeaveTheRestToTheDatabase() throws Exception {
        // given
        topic.send(
                0,
                0,
                key("a"),
                "{\"name\":\"a\",\"at\":\"9999-12-31T23:59:59.999Z\",\"kind\":\"é😀\",\"size\":-7,\"good\":true,"
                        + "\"body\":\"/wA=\",\"notes\":\"{\\\"x\\\": 1}\"}");
        topic.send(0, 1, key("b"), "{\"at\":\"1970-01-01T00:00:00.001Z\",\"name\":\"b\",\"kind\":\"\",\"size\":null}");

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
        }

        // then
        assertThat(table.texts(
                        "SELECT concat_ws('|', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), name, kind,"
                                + " size, good, encode(body, 'hex'), notes ->> 'x', made) FROM thing ORDER BY name"))
                .containsExactly(
                        "9999-12-31 23:59:59.999000|a|é😀|-7|t|ff00|1|by the database",
                        "1970-01-01 00:00:00.001000|b||by the database");
    }

    @Test
    void shouldReplaceRowsThatAreThere() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "first"));
        topic.send(0, 1, key("b"), row("b", "first"));
        topic.send(0, 5, key("a"), row("a", "second"));
        topic.send(0, 6, key("c"), row("c", "first"));
        topic.send(0, 7, key("b"), null);
        topic.send(0, 8, key("c"), row("c", "second"));

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            for (int i = 0; i < 6; i++) {
                worker.turn(1);
            }

            // then
            assertThat(things()).containsExactly("a=second", "c=second");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 9L));
        }
    }

    @Test
    @Tag("O-28")
    void shouldReplaceRowsWithoutAnErrorInTheLogOfTheDatabase() throws Exception {
        // given rows that come in the order of their times, and a second version of an old one among new ones
        topic.send(0, 0, key("a"), row("a", "first"));
        topic.send(0, 1, key("b"), row("b", "first"));
        topic.send(0, 2, key("c").replace("-01T", "-02T"), row("c", "first").replace("-01T", "-02T"));
        topic.send(0, 3, key("a"), row("a", "second"));
        topic.send(0, 4, key("d").replace("-01T", "-03T"), row("d", "first").replace("-01T", "-03T"));
        topic.send(0, 5, key("c").replace("-01T", "-02T"), row("c", "second").replace("-01T", "-02T"));
        long before = duplicates();

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn(3);
            worker.turn(2);
            worker.turn(1);
        }

        // then
        assertThat(things()).containsExactly("a=second", "b=first", "c=second", "d=first");
        assertThat(duplicates()).isEqualTo(before);
    }

    private long duplicates() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("duplicate key")).count();
        }
    }

    @Test
    void shouldGoOnWhereTheDatabaseIsAndNotWhereTheGroupIs() throws Exception {
        // given: a database that was restored from a backup, made after the first record
        topic.send(0, 0, key("a"), row("a", "1"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
        }
        topic.send(0, 1, key("b"), row("b", "1"));
        topic.send(0, 2, key("c"), row("c", "1"));

        // when
        try (FakeWorker worker = worker().start(0, 3)) {
            worker.turn();
        }

        // then
        assertThat(things()).containsExactly("a=1", "b=1", "c=1");
    }

    @Test
    void shouldBeginWhereTheFormerSinkOfTheGroupEnded() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(0, 1, key("b"), row("b", "1"));

        // when
        try (FakeWorker worker = worker().start(0, 1)) {
            worker.turn();
        }

        // then
        assertThat(things()).containsExactly("b=1");
    }

    @Test
    void shouldWriteNothingForAPartitionThatAnotherTaskHasTaken() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(0, 1, key("a"), row("a", "2"));
        try (FakeWorker lost = worker().start(0, 0);
                FakeWorker owner = worker().start(0, 0)) {
            owner.turn();

            // when
            lost.turn(1);

            // then
            assertThat(things()).containsExactly("a=2");
            assertThat(lost.committed()).containsExactly(Map.entry(0, 2L));
        }
    }

    @Test
    void shouldTakeATopicThatWasMadeAnew() throws Exception {
        // given
        topic.send(0, 1000, key("a"), row("a", "old"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
            topic.clear();
            topic.send(0, 0, key("b"), row("b", "new"));
            worker.offset(new TopicPartition(FakeWorker.TOPIC, 0), 0);

            // when
            worker.turn();

            // then
            assertThat(things()).containsExactly("a=old", "b=new");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 1L));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no JSON",
                "[]",
                "{\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"bad\"}",
                "{\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"bad\",\"kind\":\"a\\u0000b\"}",
                "{\"at\":\"today\",\"name\":\"bad\",\"kind\":\"x\"}",
                "{\"at\":\"+999999999-01-01T00:00:00Z\",\"name\":\"bad\",\"kind\":\"x\"}",
                "{\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"bad\",\"kind\":\"x\",\"notes\":\"{\"}",
                "{\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"bad\",\"kind\":\"x\",\"size\":\"many\"}"
            })
    void shouldSetAsideTheRecordThatIsNoRowAndWriteTheOthers(String bad) throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(0, 1, key("bad"), bad);
        topic.send(0, 2, key("c"), row("c", "1"));

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("a=1", "c=1");
            assertThat(table.texts("SELECT topic || partition || '@' || position || row_key FROM mirror_refused"))
                    .containsExactly("mirror.events0@1{\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"bad\"}");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }
        table.empty();

        // when
        try (FakeWorker worker = worker().reporting().start(0, 0)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("a=1", "c=1");
            assertThat(worker.reported())
                    .extracting(record -> record.kafkaOffset())
                    .containsExactly(1L);
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }
    }

    /** The rows of the audit come so: one record for those of a transaction. */
    @Test
    void shouldWriteEachLineOfARecordOfSeveralRows() throws Exception {
        // given
        topic.send(0, 0, key("a"), "\n" + row("a", "1") + "\n" + row("b", "1"));
        topic.send(0, 1, key("c"), "\n" + row("c", "1"));
        topic.send(0, 2, key("d"), "\n" + row("d", "1") + "\n" + row("bad", "a\\u0000b") + "\n" + row("e", "1"));

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("a=1", "b=1", "c=1", "d=1", "e=1");
            assertThat(table.texts("SELECT position || row_key FROM mirror_refused"))
                    .singleElement()
                    .asString()
                    .startsWith("2")
                    .contains("\"name\":\"bad\"");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }

        // when the records come again
        table.execute("UPDATE mirror_position SET position = 0");
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("a=1", "b=1", "c=1", "d=1", "e=1");
            assertThat(table.texts("SELECT count(*) FROM mirror_refused")).containsExactly("1");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }
    }

    @Test
    void shouldTellNoContentOfARefusedRow() throws Exception {
        // given
        topic.send(0, 0, key("a"), "{\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"a\",\"kind\":\"secret\\u0000\"}");
        topic.send(0, 1, key("b"), "{\"at\":\"secret\",\"name\":\"b\",\"kind\":\"1\"}");

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
        }

        // then
        assertThat(table.texts("SELECT m::text FROM mirror_refused m"))
                .hasSize(2)
                .noneMatch(row -> row.contains("secret"));
    }

    /** The table is older than such rows, and they stop no others: a newer version of Ebb may send them. */
    @ParameterizedTest
    @ValueSource(strings = {"\"red\"", "null", "7", "{\"r\":[1,{}]}"})
    @Tag("O-24")
    void shouldWriteARowWithoutAFieldThatTheTableLacks(String value) throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(
                0,
                1,
                key("b"),
                "{\"colour\":" + value + ",\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"b\",\"kind\":\"x\"}");
        topic.send(0, 2, key("c"), row("c", "1"));

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();

            // then
            assertThat(things()).containsExactly("a=1", "b=x", "c=1");
            assertThat(table.texts("SELECT table_name || ': ' || row_key FROM mirror_refused"))
                    .as("nothing is lost with a null")
                    .isEqualTo(value.equals("null") ? List.of() : List.of("thing: all rows from offset 0 on"));
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }
    }

    @Test
    @Tag("O-24")
    void shouldWriteRowsWithoutAColumnThatTheTableLacks() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1", "red"));

        // when
        try (FakeWorker worker = new FakeWorker(topic, table.sink()).start(0, 0)) {
            worker.turn();
        }

        // then
        assertThat(things()).containsExactly("a=1");
    }

    /** Nothing sends rows of the audit and the policies again, so the sink reads them again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("O-24")
    void shouldSayHowToBringFieldsBackThatNoRepairSendsAgain(boolean isRestarted) throws Exception {
        // given: rows of a newer version come before the migration, in several batches
        topic.send(0, 0, key("a"), row("a", "1"));
        Map<String, String> settings = table.sink();
        settings.put("delete.enabled", "false");
        try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
            worker.turn();
            topic.send(0, 3, key("b"), row("b", "1", "red"));
            topic.send(0, 4, key("c"), row("c", "1", "blue"));
            topic.send(0, 5, key("d"), row("d", "1"));
            for (int i = 0; i < 3; i++) {
                worker.turn(1);
            }
            assertThat(table.texts("SELECT topic || partition || '@' || position FROM mirror_refused"))
                    .as("one entry for them all, where the first of them is")
                    .containsExactly("mirror.events0@3");
            table.execute("ALTER TABLE thing ADD COLUMN colour text");

            // when
            String reason = table.texts("SELECT reason FROM mirror_refused").get(0);
            assertThat(reason).contains("[colour]").doesNotContain("red");
            table.execute(reason.substring(reason.indexOf("UPDATE")));
            if (!isRestarted) {
                topic.send(0, 6, key("e"), row("e", "1"));
                worker.turn();
                worker.turn();
            }
        }
        if (isRestarted) {
            try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 6)) {
                worker.turn();
            }
        }

        // then
        try {
            assertThat(table.texts("SELECT name || coalesce(colour, '-') FROM thing ORDER BY name"))
                    .startsWith("a-", "bred", "cblue", "d-");
            assertThat(table.texts("SELECT position FROM mirror_position")).containsExactly(isRestarted ? "6" : "7");
            assertThat(table.texts("SELECT reason FROM mirror_refused")).isEmpty();
        } finally {
            table.execute("ALTER TABLE thing DROP COLUMN colour");
        }
    }

    /** Compaction or retention has taken the record with the named offset, or a delete that is passed over is behind it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("O-24")
    void shouldForgetIncompleteRowsWhoseFirstRecordIsGone(boolean isDeletedBehind) throws Exception {
        // given
        Map<String, String> settings = table.sink();
        settings.put("delete.enabled", "false");
        topic.send(0, 3, key("a"), row("a", "1", "red"));
        topic.send(0, 4, key("a"), isDeletedBehind ? null : row("a", "2"));
        try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
            worker.turn(1);
        }
        assertThat(table.texts("SELECT position FROM mirror_refused")).containsExactly("3");
        table.execute("UPDATE mirror_position SET position = 3");
        topic.clear();
        topic.send(0, 4, key("a"), isDeletedBehind ? null : row("a", "2"));

        // when
        try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
            worker.turn();
        }

        // then
        assertThat(table.texts("SELECT position FROM mirror_position")).containsExactly("5");
        assertThat(table.texts("SELECT reason FROM mirror_refused")).isEmpty();
    }

    @Test
    void shouldForgetARefusedRowAlsoIfTheFirstCommitFails() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "bad\\u0000"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
            assertThat(table.texts("SELECT position FROM mirror_refused")).containsExactly("0");
            table.execute("""
                    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
                        BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '57P01'; END $$;
                    CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED
                        FOR EACH ROW EXECUTE FUNCTION fail()""");
            topic.send(0, 1, key("a"), row("a", "2"));
            try {
                assertThatThrownBy(worker::turn).isInstanceOf(RetriableException.class);
                assertThat(table.texts("SELECT position FROM mirror_refused")).containsExactly("0");
            } finally {
                table.execute("DROP FUNCTION fail CASCADE");
            }

            // when
            worker.turnUntilItSucceeds();

            // then
            assertThat(things()).containsExactly("a=2");
            assertThat(table.texts("SELECT position FROM mirror_refused")).isEmpty();
        }
    }

    /** The statement was run too early: what it brought is as it was, and the entry stays. */
    @Test
    @Tag("O-24")
    void shouldKeepSayingItWhileTheTableLacksTheColumn() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1", "red"));
        topic.send(0, 1, key("b"), row("b", "1", "red"));
        Map<String, String> settings = table.sink();
        for (int i = 0; i < 2; i++) {
            try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
                worker.turn(1);
                worker.turn(1);
            }

            // then
            assertThat(table.texts("SELECT position || ' ' || row_key FROM mirror_refused"))
                    .containsExactly("0 all rows from offset 0 on");
            table.execute("UPDATE mirror_position SET position = 0");
        }
    }

    @Test
    void shouldPassOverTombstonesWhereRowsAreNeverDeleted() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(0, 1, key("a"), null);

        // when
        Map<String, String> settings = settings();
        settings.put("delete.enabled", "false");
        try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
            worker.turn(1);
            worker.turn(1);

            // then
            assertThat(things()).containsExactly("a=1");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 2L));
        }
    }

    @Test
    void shouldKnowAColumnThatAMigrationAdds() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
            table.execute("ALTER TABLE thing ADD COLUMN colour text");
            topic.send(
                    0,
                    1,
                    key("b"),
                    "{\"at\":\"2026-01-01T00:00:00Z\",\"name\":\"b\",\"kind\":\"1\",\"colour\":\"red\"}");

            // when
            worker.turn();

            // then
            assertThat(table.texts("SELECT name || coalesce(colour, '-') FROM thing ORDER BY name"))
                    .containsExactly("a-", "bred");
        } finally {
            table.execute("ALTER TABLE thing DROP COLUMN colour");
        }
    }

    @Test
    void shouldFailWithoutItsTable() throws Exception {
        // given
        Map<String, String> settings = settings();
        settings.put("table", "nothing");
        topic.send(0, 0, key("a"), row("a", "1"));

        // then
        try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
            assertThatThrownBy(worker::turn)
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("there is no table nothing yet");
        }
    }

    @Test
    @Tag("I-7")
    void shouldWaitForADatabaseThatIsAway() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
            table.postgres().stop();
            topic.send(0, 1, key("b"), row("b", "1"));

            // then
            assertThatThrownBy(worker::turn).isInstanceOf(RetriableException.class);
            assertThat(worker.committed()).containsExactly(Map.entry(0, 1L));

            // when
            table.postgres().start();
            worker.turnUntilItSucceeds();

            // then
            assertThat(things()).containsExactly("a=1", "b=1");
        }
    }

    @Test
    @Tag("I-7")
    void shouldFailAfterTheTimeThatItMayWait() throws Exception {
        // given
        Map<String, String> settings = settings();
        settings.put("retry.max.ms", "0");
        settings.put("connection.url", "jdbc:postgresql://127.0.0.1:1/ebb");
        topic.send(0, 0, key("a"), row("a", "1"));

        // then
        try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
            assertThatThrownBy(worker::turn).isInstanceOf(RetriableException.class);
            assertThatThrownBy(worker::turn)
                    .isNotInstanceOf(RetriableException.class)
                    .hasMessageContaining("the database has been away");
        }
    }

    /** Random changes, read in random portions by tasks that come and go and by tasks that have lost their partition. */
    @Test
    void shouldEndWithTheLastChangeOfEachKeyWhateverHappens() throws Exception {
        long seed = Long.getLong("sink.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, String> expected = new TreeMap<>();
        long offset = 0;
        for (int i = 0; i < 1500; i++) {
            String name = "k" + random.nextInt(60);
            String kind = random.nextInt(4) == 0 ? null : "v" + i;
            topic.send(0, offset, key(name), kind == null ? null : row(name, kind));
            expected.compute(name, (same, before) -> kind);
            offset += 1 + (random.nextInt(10) == 0 ? 2 : 0);
        }
        FakeWorker.readByManyTasks(this::worker, random, 60, offset);
        assertThat(things())
                .as("seed %d", seed)
                .containsExactlyElementsOf(new TreeSet<>(expected.entrySet().stream()
                        .map(thing -> thing.getKey() + "=" + thing.getValue())
                        .toList()));
    }

    private FakeWorker worker() {
        return new FakeWorker(topic, settings());
    }

    private Map<String, String> settings() {
        return table.sink();
    }

    private List<String> things() throws SQLException {
        return table.texts("SELECT name || '=' || kind FROM thing ORDER BY name || '=' || kind COLLATE \"C\"");
    }
}
