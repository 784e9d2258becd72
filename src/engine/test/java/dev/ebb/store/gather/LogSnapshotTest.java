package dev.ebb.store.gather;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.SeededCases;
import dev.ebb.store.EventStore;
import dev.ebb.store.gather.EventLog.Known;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.rocks.LogEnds;
import dev.ebb.store.rocks.SimulatedStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Snapshots of a store in its own log, beside everything else that goes on: what is cut off is never needed again. */
@Tag("A-9")
class LogSnapshotTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final int STEPS = 250;

    @Test
    void shouldHoldInTheRestOfTheLogAllThatIsStored() {
        SeededCases.forAll(200, random -> {
            Play play = new Play(random);
            play.run();
            assertThat(play.cuts).as("snapshots that ended").isPositive();
        });
    }

    /** Without this, the test above might pass whatever is cut. */
    @Test
    void shouldMissAnEventIfOneRecordTooManyIsCut() {
        Random random = new Random(7);
        int missed = 0;
        for (int i = 0; i < 50; i++) {
            Play play = new Play(random);
            play.run();
            missed += play.missedByOne;
        }
        assertThat(missed).isPositive();
    }

    @Test
    void shouldCoverNothingBeforeItsEndIsCommitted() {
        Play play = new Play(new Random(1));
        play.put();
        play.commit();
        play.ends.isLong = true;

        // when all is written, and what is stored goes in the same transaction
        play.snapshot(1000);
        play.removeAll();
        assertThat(play.log.isLong(play.ends, () -> 1)).isTrue();
        play.snapshot(1000);

        // then
        assertThat(play.ends.covered).isZero();

        // when
        play.commit();
        play.snapshot(1000);

        // then
        assertThat(play.ends.covered).isEqualTo(1);
        assertThat(play.log.isLong(play.ends, () -> 1)).isFalse();
    }

    /** Or the log of an idle partition would keep what was erased. */
    @Test
    void shouldCoverTheLogOfAnEmptyStore() {
        Play play = new Play(new Random(1));
        play.put();
        play.removeAll();
        play.commit();
        play.put();
        play.commit();
        play.removeAll();
        play.commit();
        play.ends.isLong = true;

        play.snapshot(1000);
        play.commit();
        play.snapshot(1000);

        assertThat(play.ends.covered).isEqualTo(2);
        assertThat(play.restored((int) play.ends.covered)).isEmpty();
    }

    /** A task with a store and its log: random changes, slices of snapshots, commits and aborts. */
    private static final class Play {

        private final Random random;
        private final Ends ends = new Ends();
        private final List<KeyValue<byte[], byte[]>> committed = new ArrayList<>();
        private final List<KeyValue<byte[], byte[]>> sent = new ArrayList<>();
        private Map<Long, Stored> live = new TreeMap<>();
        private Map<Long, Stored> before = new TreeMap<>();
        private SimulatedStore store = store();
        private ChangeLog log = log();
        private long seq;
        private int cut;
        private int cuts;
        private int missedByOne;

        Play(Random random) {
            this.random = random;
        }

        private record Stored(StreamName stream, Bytes key, StoredEvent event) {}

        private final class Ends implements LogEnds {

            private boolean isLong;
            private long covered;

            @Override
            public long end() {
                return committed.size() - 1;
            }

            @Override
            public boolean isLong(LongSupplier live) {
                return isLong && covered <= cut;
            }

            @Override
            public void cover(long offset) {
                isLong = false;
                covered = offset;
            }
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(12)) {
                    case 0, 1, 2 -> put();
                    case 3 -> pick(this::remove);
                    case 4 -> pick(this::move);
                    case 5 -> pick(this::update);
                    case 6 -> log.put(other(), random.nextBoolean() ? null : new byte[] {1});
                    case 7, 8 -> commit();
                    case 9 -> abort();
                    default -> snapshot(1 + random.nextInt(4));
                }
                if (random.nextInt(20) == 0) {
                    ends.isLong = true;
                }
            }
            ends.isLong = true;
            snapshot(1000);
            commit();
            snapshot(1000);
            commit();
        }

        /** A record that is no event, of which there are few. */
        private Bytes other() {
            return Bytes.wrap(new byte[] {'K', (byte) random.nextInt(4)});
        }

        private void pick(java.util.function.Consumer<Stored> change) {
            List<Stored> all = List.copyOf(live.values());
            if (!all.isEmpty()) {
                change.accept(all.get(random.nextInt(all.size())));
            }
        }

        void put() {
            StreamName stream = new StreamName("a/" + random.nextInt(3));
            write(stream, seq++, random.nextInt(5), Known.NOT_AT_ALL);
        }

        private void write(StreamName stream, long number, long anchorMs, Known known) {
            StoredEvent event = new StoredEvent(
                    event(stream.value(), "e" + number)
                            .occurredAt(T0)
                            .completedAt(T0)
                            .type("v" + random.nextInt(100))
                            .build(),
                    T0,
                    number,
                    false);
            int sid = stream.value().charAt(2) - '0';
            Bytes key = EventKeys.positional(Range.ORDERED, sid, new Position(0, anchorMs, number));
            log.put(stream, key, StoredEventCodec.encode(event, event.sizeBytes()), known);
            live.put(number, new Stored(stream, key, event));
        }

        private void update(Stored stored) {
            long anchorMs = EventKeys.positionOf(stored.key()).anchorMs();
            write(stored.stream(), stored.event().seq(), anchorMs, Known.AS_IT_WAS);
        }

        private void move(Stored stored) {
            Known known = log.leave(stored.key());
            write(stored.stream(), stored.event().seq(), random.nextInt(5), known);
        }

        private void remove(Stored stored) {
            log.remove(
                    stored.stream(),
                    stored.key(),
                    T0,
                    stored.event().event().id().value());
            live.remove(stored.event().seq());
        }

        void removeAll() {
            List.copyOf(live.values()).forEach(this::remove);
        }

        void snapshot(int records) {
            SweepBudget budget = new SweepBudget(records, Long.MAX_VALUE / 2, System::nanoTime);
            log.snapshot(ends, () -> 1, sid -> new StreamName("a/" + sid), budget);
        }

        void commit() {
            log.sendAll();
            committed.addAll(sent);
            sent.clear();
            before = new TreeMap<>(live);
            if (ends.covered > cut) {
                cuts++;
                int from = (int) ends.covered;
                assertThat(restored(from)).isEqualTo(contents(store));
                if (from < committed.size() && !restored(from + 1).equals(contents(store))) {
                    missedByOne++;
                }
                cut = from;
            }
        }

        private void abort() {
            sent.clear();
            live = new TreeMap<>(before);
            store = store();
            store.restore(committed.subList(cut, committed.size()));
            log = log();
        }

        Map<Bytes, String> restored(int from) {
            SimulatedStore other = store();
            other.restore(committed.subList(from, committed.size()));
            return contents(other);
        }

        private static SimulatedStore store() {
            return new SimulatedStore(StoreNames.EVENTS, EventStore.indexes());
        }

        private ChangeLog log() {
            return new ChangeLog(
                    store.store(),
                    Map.of(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2),
                    1500,
                    this::send,
                    () -> T0);
        }

        private void send(byte[] key, byte[] value, long timestampMs, Headers headers) {
            sent.add(KeyValue.pair(key, value));
        }

        private static Map<Bytes, String> contents(SimulatedStore store) {
            Map<Bytes, String> contents = new TreeMap<>();
            store.entries().forEach((key, value) -> contents.put(key, Arrays.toString(value)));
            return contents;
        }
    }
}
