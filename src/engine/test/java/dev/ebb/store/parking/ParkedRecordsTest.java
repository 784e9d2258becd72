package dev.ebb.store.parking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Wait;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.InputRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-20")
class ParkedRecordsTest {

    private static final Wait SCHEMA = Wait.of("schema 7");
    private static final long T0 = 1_800_000_000_000L;

    private final StoreFixture fixture = new StoreFixture();

    @AfterEach
    void check() {
        fixture.check();
    }

    @Test
    void shouldGiveTheRecordsOfEachStreamBackInTheirOrder() {
        // given
        park("a", 1);
        park("b", 2);
        park("a", 3);

        // then
        assertThat(parked().size()).isEqualTo(3);
        assertThat(parked().inOrder()).extracting(ParkedStream::key).containsExactly("a", "b");
        assertThat(takeFirst("b")).isEqualTo(2);
        assertThat(takeFirst("a")).isEqualTo(1);
        assertThat(takeFirst("a")).isEqualTo(3);
        assertThat(parked().holds(bytes("a"))).isFalse();
        assertThat(parked().size()).isZero();
        assertThat(parked().bytes()).isZero();
    }

    @Test
    void shouldTakeOutWhatIsMissingOrDamagedAndGoOnWithTheNext() {
        // given
        park("a", 1);
        park("a", 2);
        park("a", 3);
        ParkedStream stream = parked().find(bytes("a"));
        fixture.events.put(stream.first(), null);

        // then
        assertThat(parked().first(stream)).isNull();
        parked().removeFirst(stream);
        assertThat(parked().size()).isEqualTo(2);

        // when
        fixture.events.put(stream.first(), new byte[] {100, 1});

        // then
        assertThat(parked().first(stream)).isNull();
        parked().removeFirst(stream);
        assertThat(takeFirst("a")).isEqualTo(3);
        assertThat(parked().size()).isZero();
        assertThat(parked().bytes()).isZero();
        assertThat(parked().find(bytes("a"))).isNull();
    }

    @Test
    void shouldShowReadersWhereTheFirstRecordsCameFrom() {
        // given
        park("a", 1);
        park("b", 2);
        park("a", 3);

        // then
        assertThat(fixture.reader().parked(10))
                .extracting(parked -> parked.stream().key() + " " + parked.first())
                .containsExactlyInAnyOrder("a t/0/1", "b t/0/2");
        assertThat(fixture.reader().parked(1)).hasSize(1);
    }

    @Test
    @Tag("I-7")
    void shouldSurviveARestart() {
        // given
        park("a", 1);
        park("b", 2);
        park("b", 3);
        takeFirst("a");
        takeFirst("b");
        parked().waitsFor(parked().find(bytes("b")), SCHEMA.because(Wait.Kind.NOT_ALLOWED, "no rights"));
        long bytes = parked().bytes();

        // when
        fixture.reopen();

        // then
        assertThat(parked().size()).isEqualTo(1);
        assertThat(parked().bytes()).isEqualTo(bytes);
        assertThat(parked().holds(bytes("a"))).isFalse();
        ParkedStream stream = parked().find(bytes("b"));
        assertThat(stream.sinceMs()).isEqualTo(T0);
        assertThat(stream.waitsFor()).isEqualTo(new Wait("schema 7", Wait.Kind.NOT_ALLOWED, "no rights"));
        assertThat(parked().first(stream).offset()).isEqualTo(3);
    }

    @Test
    @Tag("A-8")
    void shouldReadNoRecordAtAStart() {
        // given
        for (int i = 0; i < 100; i++) {
            park("s" + i % 10, i);
        }
        fixture.resetCounts();

        // when
        fixture.reopen();

        // then
        assertThat(parked().size()).isEqualTo(100);
        assertThat(fixture.events.gets + fixture.events.iterators)
                .as("reads of the events store")
                .isZero();
    }

    @Test
    void shouldTellKeysThatAreNoNamesFromEachOther() {
        // given
        byte[] longOne = new byte[1000];
        byte[] longOther = new byte[1000];
        longOther[999] = 1;
        List<byte[]> keys = new ArrayList<>();
        keys.add(null);
        keys.add(new byte[0]);
        keys.add(new byte[] {(byte) 0xFF});
        keys.add(new byte[] {(byte) 0xFE});
        keys.add(longOne);
        keys.add(longOther);

        // when
        keys.forEach(key -> parked().park(record(key, keys.indexOf(key)), SCHEMA, T0, ParkingLimits.DEFAULT));
        fixture.reopen();

        // then
        assertThat(parked().inOrder()).hasSize(6);
        keys.forEach(
                key -> assertThat(parked().first(parked().find(key)).offset()).isEqualTo(keys.indexOf(key)));
    }

    @ParameterizedTest
    @CsvSource({"2, true", "3, true", "4, false"})
    void shouldTakeSoManyRecordsAndNoMore(int records, boolean isTaken) {
        // given
        ParkingLimits limits = new ParkingLimits(3, 1_000_000);

        // when
        ParkedStream last = null;
        for (int i = 0; i < records; i++) {
            last = parked().park(record(bytes("s" + i), i), SCHEMA, T0, limits);
        }

        // then
        assertThat(last != null).isEqualTo(isTaken);
        assertThat(parked().size()).isEqualTo(Math.min(records, 3));
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "1, true"})
    void shouldTakeSoManyBytesAndNoMore(int more, boolean isTaken) {
        // given
        long size = record(bytes("a"), 1).encode().length;
        ParkingLimits limits = new ParkingLimits(10, 2 * size + more);
        parked().park(record(bytes("a"), 1), SCHEMA, T0, limits);

        // when
        ParkedStream second = parked().park(record(bytes("a"), 2), SCHEMA, T0, limits);

        // then
        assertThat(second != null).isEqualTo(isTaken);
    }

    @Test
    void shouldKeepRecordsAsTheyAre() {
        // given
        RecordHeaders headers = new RecordHeaders();
        headers.add("h", bytes("1")).add("h", null).add("é", new byte[] {0, (byte) 0xFF});
        InputRecord full = new InputRecord("t", 3, 1L << 40, -1, bytes("k"), bytes("v"), headers);
        InputRecord bare = new InputRecord("t", 0, 0, 0, null, null, new RecordHeaders());

        // then
        assertThat(InputRecord.decode(full.encode())).usingRecursiveComparison().isEqualTo(full);
        assertThat(InputRecord.decode(bare.encode())).usingRecursiveComparison().isEqualTo(bare);
    }

    @Test
    @Tag("I-3")
    void shouldDoAsQueuesInMemoryDo() {
        SeededCases.forAll(20, random -> {
            StoreFixture store = new StoreFixture();
            Map<String, Deque<Long>> model = new TreeMap<>();
            for (int step = 0; step < 200; step++) {
                play(random, store, model, step);
                assertThat(sizes(store)).isEqualTo(sizes(model));
                store.check();
            }
        });
    }

    private static void play(Random random, StoreFixture store, Map<String, Deque<Long>> model, long step) {
        ParkedRecords parked = store.store.parked();
        String key = "s" + random.nextInt(5);
        if (random.nextInt(10) == 0) {
            store.reopen();
        } else if (random.nextBoolean()) {
            ParkingLimits limits = new ParkingLimits(20, 1500);
            boolean isTaken = parked.park(record(bytes(key), step), SCHEMA, T0, limits) != null;
            if (isTaken) {
                model.computeIfAbsent(key, name -> new ArrayDeque<>()).add(step);
            }
            assertThat(isTaken || parked.size() == 20 || parked.bytes() > 1400)
                    .as("refused with room left")
                    .isTrue();
        } else if (model.containsKey(key)) {
            ParkedStream stream = parked.find(bytes(key));
            assertThat(parked.first(stream).offset()).isEqualTo(model.get(key).remove());
            parked.removeFirst(stream);
            model.values().removeIf(Deque::isEmpty);
        } else {
            assertThat(parked.holds(bytes(key))).isFalse();
        }
    }

    private static Map<String, Long> sizes(StoreFixture store) {
        Map<String, Long> sizes = new TreeMap<>();
        store.store.parked().inOrder().forEach(stream -> sizes.put(stream.key(), stream.records()));
        assertThat(store.store.parked().size())
                .isEqualTo(sizes.values().stream().mapToLong(Long::longValue).sum());
        return sizes;
    }

    private static Map<String, Long> sizes(Map<String, Deque<Long>> model) {
        Map<String, Long> sizes = new TreeMap<>();
        model.forEach((key, queue) -> sizes.put(key, (long) queue.size()));
        return sizes;
    }

    private ParkedRecords parked() {
        return fixture.store.parked();
    }

    private void park(String key, long offset) {
        parked().park(record(bytes(key), offset), SCHEMA, T0, ParkingLimits.DEFAULT);
    }

    private long takeFirst(String key) {
        ParkedStream stream = parked().find(bytes(key));
        long offset = parked().first(stream).offset();
        parked().removeFirst(stream);
        return offset;
    }

    private static InputRecord record(byte[] key, long offset) {
        return new InputRecord("t", 0, offset, 0, key, new byte[] {1}, new RecordHeaders());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
