package dev.ebb.sink;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.LogRecords;
import dev.ebb.sink.FakeWorker.Topic;
import dev.ebb.store.layout.RunWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.connect.errors.ConnectException;
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

/** The log of the events, against a real PostgreSQL: puts, runs of removals, and what concerns no row. */
@Tag("A-14")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class LogSinkTaskIT {

    private static final long T0 = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    private static final StreamName STREAM = new StreamName("a/1");

    private final Topic topic = new Topic();
    private ThingTable table;
    private long offset;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        table = ThingTable.startMigrated(dataDir);
    }

    @AfterAll
    void stop() {
        if (table != null) {
            table.close();
        }
    }

    @BeforeEach
    void empty() throws SQLException {
        table.execute("TRUNCATE event; TRUNCATE mirror_position; TRUNCATE mirror_refused");
        topic.clear();
        offset = 0;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void shouldRemoveExactlyTheRowsOfARun(int recordsAtOnce) throws Exception {
        // given
        for (String id : List.of("a", "b", "c", "d")) {
            put(id, "1", T0);
        }
        put("b", "other time", T0 + 1);
        remove(T0, "a", "b", "never there");
        put("a", "again", T0 + 2);

        // when
        turns(8, recordsAtOnce);

        // then
        assertThat(rows()).containsExactly("a=again", "b=other time", "c=1", "d=1");
    }

    /** As the snapshot of a log puts all events again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void shouldLeaveARowAsItIsThatTheLogHasAlready(int recordsAtOnce) throws Exception {
        // given
        put("a", "1", T0);
        put("b", "1", T0);
        put("b", "2", T0);
        turns(3, recordsAtOnce);
        table.execute("UPDATE event SET type = 'by hand' WHERE event_id = 'a'");

        // when
        known("a", "1", T0);
        known("b", "2", T0);
        known("c", "1", T0);
        put("d", "1", T0);
        known("d", "1", T0);
        turns(5, recordsAtOnce);

        // then
        assertThat(rows()).containsExactly("a=by hand", "b=2", "c=1", "d=1");
    }

    @Test
    void shouldComePastRecordsThatConcernNoRow() throws Exception {
        // given
        put("a", "1", T0);
        send(new ProducerRecord<>(FakeWorker.TOPIC, 0, new byte[] {'O', 1}, null));
        send(new ProducerRecord<>(FakeWorker.TOPIC, 0, new byte[] {'K', 1}, new byte[] {9}));
        RunWriter none = new RunWriter();
        send(new ProducerRecord<>(FakeWorker.TOPIC, 0, none.key(), none.take()));

        // when
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();

            // then
            assertThat(rows()).containsExactly("a=1");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 4L));
        }
    }

    /** The log names no stream where the policy wants no rows. */
    @Test
    @Tag("F-13")
    void shouldComePastEventsWithoutRows() throws Exception {
        // given
        put("a", "1", T0);
        StoredEvent stored = stored("b", "1", T0);
        byte[] value = LogRecords.put(FakeWorker.TOPIC, 0, stored).value();
        send(new ProducerRecord<>(FakeWorker.TOPIC, 0, new byte[] {'O', 0, 0, 0, 1, 0}, value));
        RunWriter run = new RunWriter();
        Bytes key = Bytes.wrap(new byte[] {'O', 0, 0, 0, 1, 0});
        run.add(null, key, T0, "a");
        run.add(STREAM, key, T0, "never there");
        send(new ProducerRecord<>(FakeWorker.TOPIC, 0, run.key(), run.take()));

        // when
        turns(3, 1);

        // then
        assertThat(rows()).containsExactly("a=1");
    }

    /** A row that was made by hand may have any time. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-01-01T00:00:00.000001Z", "infinity", "-infinity"})
    void shouldRemoveARowThatNoEventHas(String time) throws Exception {
        // given
        put("a", "1", T0);
        turns(1, 1);
        table.execute("UPDATE event SET stored_at = '" + time + "'");
        RunWriter run = new RunWriter();
        Instant instant =
                switch (time) {
                    case "infinity" -> Instant.MAX;
                    case "-infinity" -> Instant.MIN;
                    default -> Instant.parse(time);
                };
        run.addRow(STREAM, instant, "a");
        send(new ProducerRecord<>(FakeWorker.TOPIC, 0, run.key(), run.take()));

        // when
        turns(1, 1);

        // then
        assertThat(rows()).isEmpty();
    }

    /** As Connect's own converter of headers would make a number of a name. */
    @Test
    void shouldSetNoRecordAsideForAConverterThatChangesNames() {
        topic.sendWithHeader(0, offset++, LogRecords.put(FakeWorker.TOPIC, 0, stored("a", "1", T0)), 7);

        try (FakeWorker worker = worker().reporting().start(0, 0)) {
            assertThatThrownBy(worker::turn)
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("set header.converter");
            assertThat(worker.reported()).isEmpty();
        }
    }

    /** Its positions are gone with its rows, while the group of the sink is at the end. */
    @Test
    void shouldFillANewDatabaseFromTheBeginningOfTheLog() throws Exception {
        // given
        put("a", "1", T0);
        put("b", "1", T0);
        remove(T0, "a");

        // when
        try (FakeWorker worker = worker().start(0, 3)) {
            worker.turn();
            worker.turn();

            // then
            assertThat(rows()).containsExactly("b=1");
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "52 02", // a run in a form of tomorrow
                "52 01 03 61", // a name that ends too early
                "52 01 01 61 02 00 00 00 09 00", // more bytes are shared than there were
                "4f 03", // an event in a form of tomorrow
                "4f 01 00 05 61" // an id that ends too early
            })
    void shouldSetAsideWhatCannotBeRead(String bytes) throws Exception {
        // given
        byte[] bad = HexFormat.of().parseHex(bytes.replace(" ", ""));
        put("a", "1", T0);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                FakeWorker.TOPIC, 0, new byte[] {bad[0]}, java.util.Arrays.copyOfRange(bad, 1, bad.length));
        record.headers().add("s", new byte[] {'a'});
        send(record);
        put("b", "1", T0);

        // when
        try (FakeWorker worker = worker().reporting().start(0, 0)) {
            worker.turn();

            // then
            assertThat(rows()).containsExactly("a=1", "b=1");
            assertThat(worker.reported())
                    .extracting(reported -> reported.kafkaOffset())
                    .containsExactly(1L);
        }
    }

    /** Random changes, read by tasks that come and go and by tasks that have lost their partition. */
    @Test
    void shouldEndWithTheLastChangeOfEachEventWhateverHappens() throws Exception {
        long seed = Long.getLong("sink.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, String> expected = new TreeMap<>();
        for (int i = 0; i < 800; i++) {
            String id = "k" + random.nextInt(40);
            int what = random.nextInt(4);
            if (what == 0) {
                String other = "k" + random.nextInt(40);
                remove(T0, id, other);
                expected.remove(id);
                expected.remove(other);
            } else if (what == 1 && expected.containsKey(id)) {
                known(id, expected.get(id), T0);
            } else {
                put(id, "v" + i, T0);
                expected.put(id, "v" + i);
            }
        }
        FakeWorker.readByManyTasks(this::worker, random, 25, offset);
        assertThat(rows())
                .as("seed %d", seed)
                .containsExactlyElementsOf(expected.entrySet().stream()
                        .map(row -> row.getKey() + "=" + row.getValue())
                        .toList());
    }

    private static StoredEvent stored(String id, String type, long storedAt) {
        return new StoredEvent(
                event(STREAM.value(), id)
                        .type(type)
                        .occurredAt(T0)
                        .completedAt(T0)
                        .build(),
                storedAt,
                1,
                false);
    }

    private void put(String id, String type, long storedAt) {
        send(LogRecords.put(FakeWorker.TOPIC, 0, stored(id, type, storedAt)));
    }

    private void known(String id, String type, long storedAt) {
        send(LogRecords.known(FakeWorker.TOPIC, 0, stored(id, type, storedAt)));
    }

    private void remove(long storedAt, String... ids) {
        send(LogRecords.removal(FakeWorker.TOPIC, 0, STREAM, storedAt, ids));
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        topic.send(0, offset++, record);
    }

    private void turns(int count, int recordsAtOnce) {
        try (FakeWorker worker = worker().start(0, 0)) {
            for (int i = 0; i < count; i++) {
                worker.turn(recordsAtOnce);
            }
        }
    }

    private FakeWorker worker() {
        Map<String, String> settings = table.sink();
        settings.put("table", "event");
        settings.put("log.enabled", "true");
        return new FakeWorker(topic, settings);
    }

    private List<String> rows() throws SQLException {
        return table.texts("SELECT event_id || '=' || type FROM event ORDER BY event_id COLLATE \"C\", stored_at");
    }
}
