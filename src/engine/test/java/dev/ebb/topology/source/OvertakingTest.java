package dev.ebb.topology.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceMapping;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.domain.source.TombstoneHeader;
import dev.ebb.serde.source.SourceFormats;
import dev.ebb.serde.text.SourceJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random producers that overtake the deletes of Ebb at every step, and crashes at every step: whatever happens, the topic
 * ends with exactly those rows that a table without overtaking would have, and so does Ebb. Meanwhile no version newer
 * than the judged one stays deleted for longer than two commits: that of the tombstone, and that of the source which reads
 * it.
 */
@Tag("F-7")
class OvertakingTest {

    private static final long T0 = 1_700_000_000_000L;
    private static final int KEYS = 4;
    private static final int STEPS = 400;
    private static final int WORLDS = 300;

    /** Versions of rows at this one and above never go. */
    private static final String LASTS = "stays";

    private static final Source SOURCE =
            SourceJson.read("""
                    {"name": "orders", "topic": "orders", "as": "table", "key": "text", "value": "json",
                     "stream": "orders/{value.of}", "keep": "payload", "target": {"tombstones": "same"}}
                    """.getBytes(UTF_8)).source().orElseThrow();

    /** A build that does not look between the judged version and its tombstone must lose a row. */
    @Test
    void shouldLoseARowInABuildThatDoesNotLook() {
        long lost = 0;
        long late = 0;
        for (int seed = 0; seed < 50; seed++) {
            World world = new World(seed, false, true);
            world.play();
            lost += world.isRight() ? 0 : 1;
            late += world.late;
        }
        assertThat(lost).isPositive();
        assertThat(late).isPositive();
    }

    /** The second half are topics that give each record the time of the broker. */
    @ParameterizedTest
    @CsvSource({"1, true", "1000, true", "2000, true", "3000, false", "4000, false"})
    void shouldKeepEachRowThatWasNotJudged(long first, boolean keepsTime) {
        for (long seed = first; seed < first + WORLDS; seed++) {
            World world = new World(seed, true, keepsTime);
            world.play();
            assertThat(world.late)
                    .as("versions deleted for more than two commits, seed " + seed)
                    .isZero();
            assertThat(world.topic()).as("rows of the topic, seed " + seed).isEqualTo(world.wanted());
            assertThat(world.events()).as("events of Ebb, seed " + seed).isEqualTo(world.wanted());
        }
    }

    /** A topic, its producers, a source and an engine that judges what it has been told so far. */
    private static final class World implements SourceIntake.Output {

        private final Random random;
        private final boolean looks;
        private final boolean keepsTime;
        private final List<SourceRecord> log = new ArrayList<>();
        private final KeyValueStore<Bytes, byte[]> store = new MapStore();
        private final SourceIntake intake;

        /** What a table would have if nothing were ever overtaken: versions of the producers that are to stay. */
        private final Map<String, String> wanted = new TreeMap<>();

        /** The offset of the newest version of each key that a producer has written, unless it is a null value. */
        private final Map<String, Integer> newest = new TreeMap<>();

        private int read;
        private int late;

        /** Records for the engine, committed and not yet taken in; streams may lie in different partitions. */
        private final Map<String, List<Object>> sent =
                new TreeMap<>(Map.of("orders/s0", new ArrayList<>(), "orders/s1", new ArrayList<>()));

        /** Events of the engine by stream and id. */
        private final Map<String, Event> engine = new LinkedHashMap<>();

        /** Events that the engine has deleted. */
        private final List<Event> trash = new ArrayList<>();

        private final List<Object> uncommitted = new ArrayList<>();
        private final List<SourceRecord> again = new ArrayList<>();

        World(long seed, boolean looks, boolean keepsTime) {
            this.random = new Random(seed);
            this.looks = looks;
            this.keepsTime = keepsTime;
            SourceMapping mapping = new SourceMapping(
                    SOURCE,
                    new SourceFormats(
                                    () -> {
                                        throw new IllegalStateException();
                                    },
                                    () -> {
                                        throw new IllegalStateException();
                                    })
                            .reader(SOURCE));
            this.intake = new SourceIntake(mapping, "topic-id", new TableMemory(store), this);
        }

        void play() {
            boolean isInStep = random.nextBoolean();
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(6)) {
                    case 0 -> produce();
                    case 1, 2 -> readOne();
                    case 3 -> takeIn();
                    case 4 -> undo();
                    default -> delete();
                }
            }
            while (read < log.size() || sent.values().stream().anyMatch(queue -> !queue.isEmpty()) || isAnyDue()) {
                assertThat(log).as("records until all is quiet").hasSizeLessThan(10_000);
                if (isInStep) {
                    turnInStep();
                } else {
                    readOne();
                    takeIn();
                    delete();
                }
            }
        }

        /** Both sides commit at the same pace, so that each delete judges what was sent again a turn ago. */
        private void turnInStep() {
            for (int end = log.size(); read < end; ) {
                readOne();
            }
            while (isAnyDue()) {
                delete();
            }
            while (sent.values().stream().anyMatch(queue -> !queue.isEmpty())) {
                takeIn();
            }
        }

        private void produce() {
            String key = "k" + random.nextInt(KEYS);
            if (random.nextInt(6) == 0) {
                newest.remove(key);
                append(key, null, List.of());
                wanted.remove(key);
                return;
            }
            boolean lasts = random.nextBoolean();
            String value = "{\"of\": \"s" + random.nextInt(2) + "\", \"n\": \"" + (lasts ? LASTS : "goes") + log.size()
                    + "\"}";
            newest.put(key, log.size());
            append(key, value, List.of());
            if (lasts) {
                wanted.put(key, value);
            } else {
                wanted.remove(key);
            }
        }

        private void append(String key, String value, List<SourceRecord.Header> headers) {
            append(T0 + log.size(), key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8), headers);
        }

        private void append(long timestampMs, byte[] key, byte[] value, List<SourceRecord.Header> headers) {
            long atMs = keepsTime ? timestampMs : T0 + log.size();
            log.add(new SourceRecord(SOURCE.topic(), 0, log.size(), atMs, key, value, headers));
        }

        /** A transaction of the source: one record, or a crash before its commit. */
        private void readOne() {
            if (read == log.size()) {
                return;
            }
            Map<Bytes, byte[]> before = contents();
            intake.take(log.get(read), T0);
            if (random.nextInt(4) == 0) {
                restore(before);
                uncommitted.clear();
                again.clear();
                return;
            }
            read++;
            uncommitted.forEach(one -> queue(streamOf(one)).add(one));
            uncommitted.clear();
            again.forEach(one -> append(one.timestampMs(), key(one), one.value(), one.headers()));
            again.clear();
            if (judgedBy(log.get(read - 1)) >= 0) {
                newest.forEach((key, offset) -> late += isDeletedUnseen(key, offset) ? 1 : 0);
            }
        }

        /** Returns true if a tombstone that was read is the last record of a key whose newest version was never judged. */
        private boolean isDeletedUnseen(String key, int newestOffset) {
            SourceRecord last = null;
            long judged = -1;
            for (SourceRecord record : log) {
                if (key.equals(new String(key(record), UTF_8))) {
                    last = record;
                    judged = Math.max(judged, judgedBy(record));
                }
            }
            return last != null && judgedBy(last) >= 0 && last.offset() < read && judged < newestOffset;
        }

        private static long judgedBy(SourceRecord record) {
            byte[] judged = record.header(TombstoneHeader.JUDGED.key());
            return judged == null ? -1 : Long.parseLong(new String(judged, UTF_8));
        }

        private List<Object> queue(String stream) {
            return Objects.requireNonNull(sent.get(stream));
        }

        private static String streamOf(Object one) {
            return one instanceof Event event
                    ? event.stream().value()
                    : ((SourceGone) one).stream().value();
        }

        private Map<Bytes, byte[]> contents() {
            Map<Bytes, byte[]> contents = new HashMap<>();
            try (var all = store.all()) {
                all.forEachRemaining(entry -> contents.put(entry.key, entry.value));
            }
            return contents;
        }

        private void restore(Map<Bytes, byte[]> contents) {
            contents().keySet().forEach(store::delete);
            contents.forEach(store::put);
        }

        /** The engine takes in one record. */
        private void takeIn() {
            List<Object> queue = queue("orders/s" + random.nextInt(2));
            if (queue.isEmpty()) {
                return;
            }
            Object one = queue.remove(0);
            if (one instanceof Event event) {
                engine.put(event.stream() + " " + event.id(), event);
            } else if (one instanceof SourceGone gone) {
                String at = gone.stream() + " " + gone.id();
                Event stored = engine.get(at);
                if (stored != null
                        && Objects.requireNonNull(SourcePlace.of(stored)).isUpTo(gone.place())) {
                    engine.remove(at);
                }
            }
        }

        private boolean isAnyDue() {
            return engine.values().stream().anyMatch(World::isDue);
        }

        private static boolean isDue(Event event) {
            return !new String(event.payload(), UTF_8).contains(LASTS);
        }

        /** The engine deletes an event that is due, in one transaction with its tombstone. */
        private void delete() {
            engine.values().stream().filter(World::isDue).findFirst().ifPresent(event -> {
                engine.remove(event.stream() + " " + event.id());
                trash.add(event);
                SourcePlace place = Objects.requireNonNull(SourcePlace.of(event));
                append(
                        new String(place.key(), UTF_8),
                        null,
                        List.of(
                                new SourceRecord.Header(TombstoneHeader.CAUSE.key(), "TTL".getBytes(UTF_8)),
                                new SourceRecord.Header(
                                        TombstoneHeader.JUDGED.key(),
                                        Long.toString(place.offset()).getBytes(UTF_8))));
            });
        }

        /** An undo brings back an event, unless its id is used again, and sends its row, in one transaction. */
        private void undo() {
            if (trash.isEmpty() || !looks) {
                return;
            }
            Event event = trash.remove(random.nextInt(trash.size()));
            if (engine.putIfAbsent(event.stream() + " " + event.id(), event) == null) {
                SourcePlace place = Objects.requireNonNull(SourcePlace.of(event));
                List<SourceRecord.Header> headers = new ArrayList<>();
                SourceReturn.headers(place, "undo")
                        .forEach(header -> headers.add(new SourceRecord.Header(header.key(), header.value())));
                append(T0 + log.size(), place.key(), event.payload(), headers);
            }
        }

        @Override
        public void event(Event event) {
            uncommitted.add(event);
        }

        @Override
        public void gone(SourceGone gone) {
            uncommitted.add(gone);
        }

        @Override
        public void reject(SourceRecord record, Rejection rejection) {
            throw new AssertionError(rejection.detail());
        }

        @Override
        public SourceIntake.Found find(SourceRecord cause, long offset) {
            return looks ? new SourceIntake.Found(log.get((int) offset), keepsTime) : null;
        }

        @Override
        public void sendAgain(SourceRecord record) {
            again.add(record);
        }

        boolean isRight() {
            return topic().equals(wanted()) && events().equals(wanted());
        }

        Map<String, String> wanted() {
            return wanted;
        }

        /** The rows that a reader of the whole topic has. */
        Map<String, String> topic() {
            Map<String, String> rows = new TreeMap<>();
            for (SourceRecord record : log) {
                String key = new String(key(record), UTF_8);
                byte[] value = record.value();
                if (value == null) {
                    rows.remove(key);
                } else {
                    rows.put(key, new String(value, UTF_8));
                }
            }
            return rows;
        }

        /** The events of Ebb by id; one that stayed behind in another stream would be there twice. */
        Map<String, String> events() {
            Map<String, String> rows = new TreeMap<>();
            engine.values()
                    .forEach(event -> rows.merge(
                            event.id().value(), new String(event.payload(), UTF_8), (one, other) -> one + other));
            return rows;
        }

        private static byte[] key(SourceRecord record) {
            return Objects.requireNonNull(record.key());
        }
    }
}
