package dev.ebb.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventRules;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.LogRecords;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.sink.FakeWorker.Topic;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
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

/**
 * Random events, with each field below, at and above its limits, against the real tables: all that the rules of the
 * door let pass has its row, and what they refuse would stop no other row either.
 */
@Tag("O-24")
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
class LongFieldStopsNoRowsIT {

    private static final int EVENTS = 400;
    private static final long NOW = Instant.parse("2026-11-28T10:00:00Z").toEpochMilli();
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long END_OF_9999 =
            Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();
    private static final List<Integer> LENGTHS =
            List.of(0, 1, 254, 255, 256, 1023, 1024, 1025, 2000, 2704, 3000, 9000, 65_535, 65_536, 65_537);
    private static final List<String> TRAPS =
            List.of("\u0000", "\uD800", "\uDC00x", " ", "\u00A0", "\u001b", "\n", "\\u0000", "\"", "😀", "é", "\uFFFE");
    private static final List<Long> TIMES = List.of(
            Long.MIN_VALUE, -1L, 0L, 1L, NOW, NOW + HOUR, NOW + HOUR + 1, END_OF_9999, END_OF_9999 + 1, Long.MAX_VALUE);

    private final Topic topic = new Topic();
    private ThingTable table;
    private Random random;

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
        table.execute("TRUNCATE event; TRUNCATE execution; TRUNCATE mirror_position; TRUNCATE mirror_refused");
        topic.clear();
        long seed = Long.getLong("sink.seed", System.nanoTime());
        System.out.println("sink.seed=" + seed);
        random = new Random(seed);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHaveARowForEachEventThatTheDoorLetsPass(boolean isOfLog) throws Exception {
        // given
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            Event event = event("e" + i);
            if (problem(event) == null) {
                events.add(event);
            }
        }
        send(events, isOfLog);

        // when
        write("event", isOfLog);

        // then
        assertThat(table.texts("SELECT row_key || reason FROM mirror_refused")).isEmpty();
        assertThat(table.texts("SELECT event_id FROM event"))
                .containsExactlyInAnyOrderElementsOf(
                        events.stream().map(event -> event.id().value()).toList());
        assertThat(events).as("the limits leave room").hasSizeGreaterThan(EVENTS / 4);
        assertThat(table.texts("SELECT count(*) FROM live_event")).hasSize(1);
    }

    /** As if a later version, or another writer of the topic, had sent it: the second door is the sink. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStopNoRowsWhereTheDoorWasPassedBy(boolean isOfLog) throws Exception {
        // given
        List<Event> events = new ArrayList<>();
        List<String> good = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            Event event = event("e" + i);
            events.add(event);
            if (problem(event) == null) {
                good.add(event.id().value());
            }
        }
        events.add(new Event(
                new StreamName("s"),
                new EventId("long"),
                "",
                letters(3000), // for the index of the statuses that protect
                NOW,
                null,
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                null,
                new byte[0]));
        send(events, isOfLog);

        // when
        write("event", isOfLog);

        // then
        assertThat(table.texts("SELECT event_id FROM event")).containsAll(good).doesNotContain("long");
        assertThat(table.texts("SELECT row_key::json ->> 'event_id' || ' ' || code FROM mirror_refused"))
                .contains("long 54000");
        assertThat(table.texts("SELECT row_key::json ->> 'event_id' FROM mirror_refused"))
                .doesNotContainAnyElementsOf(good);
        assertThat(table.texts("SELECT 1 FROM event UNION ALL SELECT 1 FROM mirror_refused"))
                .as("none is lost")
                .hasSize(events.size());
    }

    @Test
    void shouldHaveARowForEachExecutionThatTheDoorLetsPass() throws Exception {
        // given
        MirrorRows rows = new MirrorRows();
        StreamName stream = new StreamName("s");
        int sent = 0;
        for (int i = 0; i < EVENTS; i++) {
            ExecutionUpdate update = new ExecutionUpdate(
                    stream, i, text(), random.nextBoolean() ? null : stream, oneOf(TIMES), oneOf(TIMES));
            if (EventRules.problem(update, NOW, NOW) == null) {
                Execution execution =
                        new Execution(i, update.status(), false, update.startedAt(), update.completedAt());
                topic.send(
                        0, sent++, rows.executionKey(stream, i), rows.executionRow(stream, execution, update.parent()));
            }
        }

        // when
        write("execution", false);

        // then
        assertThat(table.texts("SELECT row_key || reason FROM mirror_refused")).isEmpty();
        assertThat(table.texts("SELECT execution FROM execution")).hasSize(sent);
    }

    private static @Nullable Rejection problem(Event event) {
        return EventRules.problem(event, NOW, NOW);
    }

    private void send(List<Event> events, boolean isOfLog) {
        MirrorRows rows = new MirrorRows();
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            StoredEvent stored = new StoredEvent(event, NOW, 0, event.completedAt() == null);
            if (isOfLog) {
                topic.send(0, i, LogRecords.put(FakeWorker.TOPIC, 0, stored));
            } else {
                byte[] key =
                        rows.eventKey(NOW, event.stream().value(), event.id().value());
                topic.send(0, i, key, rows.eventRow(stored));
            }
        }
    }

    private void write(String target, boolean isOfLog) {
        Map<String, String> settings = table.sink();
        settings.put("table", target);
        settings.put("log.enabled", Boolean.toString(isOfLog));
        try (FakeWorker worker = new FakeWorker(topic, settings).start(0, 0)) {
            worker.turn();
            worker.turn();
        }
    }

    /** Returns an event of which one field in three is strange. */
    private Event event(String id) {
        Map<String, String> metadata = new HashMap<>();
        if (isStrange()) {
            metadata.put(orElse(text(), "k"), orElse(text(), "v"));
            metadata.put("k" + text(), "");
        }
        return new Event(
                new StreamName(isStrange() ? good(StreamName::problem) : "s/1"),
                new EventId(id),
                isStrange() ? orElse(text(), "") : "paid",
                isStrange() ? text() : "done",
                isStrange() ? oneOf(TIMES) : (Long) NOW,
                isStrange() ? oneOf(TIMES) : (Long) NOW,
                ttl(),
                isStrange() ? oneOf(List.of(0L, 1L, Long.MAX_VALUE)) : 0,
                isStrange() ? text() : null,
                metadata,
                isStrange() ? text() : "text/plain",
                isStrange() ? letters(oneOf(LENGTHS)).getBytes(UTF_8) : new byte[0]);
    }

    private OwnTtl ttl() {
        if (!isStrange()) {
            return OwnTtl.NONE;
        }
        return random.nextBoolean()
                ? OwnTtl.of(oneOf(List.of(1L, Long.MAX_VALUE)), null, false)
                : OwnTtl.of(null, oneOf(List.of(0L, NOW, END_OF_9999, END_OF_9999 + 1, Long.MAX_VALUE)), false);
    }

    private boolean isStrange() {
        return random.nextInt(10) == 0;
    }

    private String good(Function<String, @Nullable String> rule) {
        String text = orElse(text(), "");
        return rule.apply(text) == null ? text : "s/2";
    }

    private static String orElse(@Nullable String text, String other) {
        return text == null ? other : text;
    }

    private @Nullable String text() {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> oneOf(TRAPS) + letters(random.nextInt(3));
            case 2 -> letters(random.nextInt(3)) + oneOf(TRAPS);
            default -> letters(oneOf(LENGTHS));
        };
    }

    /** Returns letters that compression does not make shorter. */
    private String letters(int count) {
        StringBuilder text = new StringBuilder(count);
        random.ints(count, '0', 'z' + 1).forEach(c -> text.append((char) c));
        return text.toString();
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
