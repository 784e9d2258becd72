package dev.ebb.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.CountingStore;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.UsageKeys;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-17")
@Tag("O-10")
class RetiredStreamsTest {

    private static final int STREAMS = 2000;

    private final CountingStore usage = new CountingStore("usage", null);
    private final RetiredStreams streams = new RetiredStreams(usage);

    @Test
    void shouldFindNoneInAnEmptyStore() {
        streams.open();
        usage.resetCounts();

        assertThat(streams.first()).isNull();
        assertThat(streams.of(1)).isNull();
        assertThat(streams.lastStoredAt(new StreamName("a"))).isEqualTo(-1);
        assertThat(usage.operations())
                .as("a store without retired streams costs nothing")
                .isZero();
    }

    @Test
    void shouldGiveOlderStreamsOfANameFirst() {
        // given
        streams.put(stream(7, "b", 10));
        streams.put(stream(3, "a", 20));
        streams.put(stream(9, "a", 30));

        // then
        assertThat(sidOfFirst()).as("the one that was begun").isEqualTo(7);
        streams.forget(stream(7, "b", 10));
        assertThat(sidOfFirst()).isEqualTo(3);
        assertThat(streams.lastStoredAt(new StreamName("a"))).isEqualTo(30);
        streams.forget(stream(3, "a", 20));
        assertThat(streams.lastStoredAt(new StreamName("a"))).isEqualTo(30);
        assertThat(sidOfFirst()).isEqualTo(9);
        streams.forget(stream(9, "a", 30));
        assertThat(streams.first()).isNull();
        assertThat(usage.range(UsageKeys.single((byte) 0), UsageKeys.FIRST_STREAM))
                .isExhausted();
    }

    @Test
    void shouldFindAllAfterAStart() {
        // given
        streams.put(stream(7, "b", 10));
        streams.put(stream(3, "a", 20));

        // when
        RetiredStreams later = new RetiredStreams(usage);
        later.open();

        // then
        assertThat(later.first()).isEqualTo(stream(3, "a", 20));
        assertThat(later.of(7)).isEqualTo(stream(7, "b", 10));
        assertThat(later.of(8)).isNull();
        assertThat(later.lastStoredAt(new StreamName("b"))).isEqualTo(10);
        assertThat(later.lastStoredAt(new StreamName("c"))).isEqualTo(-1);
    }

    /** Neither the next one nor the name of a new stream is looked for among all of them, and no tombstone is read twice. */
    @Test
    @Tag("A-2")
    void shouldReadAFewRecordsForEachOfMany() {
        for (int sid = 1; sid <= STREAMS; sid++) {
            streams.put(stream(sid, "s" + sid, sid));
        }
        usage.resetCounts();

        for (int sid = 1; sid <= STREAMS; sid++) {
            assertThat(streams.lastStoredAt(new StreamName("s" + sid))).isEqualTo(sid);
            streams.forget(stream(sid, "s" + sid, sid));
        }

        assertThat(streams.first()).isNull();
        assertThat(usage.operations()).isLessThan(10 * STREAMS);
    }

    @Test
    void shouldDoAsAMapDoes() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        Random random = new Random(seed);
        TreeMap<Integer, Retired> expected = new TreeMap<>();
        for (int sid = 1; sid <= STREAMS; sid++) {
            Retired first = streams.first();
            if (first == null || random.nextInt(3) > 0) {
                Retired stream = stream(sid, "s" + random.nextInt(5), sid);
                streams.put(stream);
                expected.put(sid, stream);
            } else {
                streams.forget(first);
                assertThat(expected.remove(first.sid())).as("seed %d", seed).isEqualTo(first);
            }
            if (random.nextInt(20) == 0) {
                streams.open();
            }
            StreamName name = new StreamName("s" + random.nextInt(5));
            int asked = 1 + random.nextInt(sid);
            assertThat(streams.of(asked)).as("seed %d", seed).isEqualTo(expected.get(asked));
            assertThat(streams.first() == null).as("seed %d", seed).isEqualTo(expected.isEmpty());
            assertThat(streams.lastStoredAt(name))
                    .as("seed %d", seed)
                    .isEqualTo(expected.values().stream()
                            .filter(stream -> stream.stream().equals(name))
                            .mapToLong(Retired::lastStoredAt)
                            .max()
                            .orElse(-1));
        }
    }

    private int sidOfFirst() {
        Retired first = streams.first();
        return first == null ? 0 : first.sid();
    }

    private static Retired stream(int sid, String name, long lastStoredAt) {
        return new Retired(
                new StreamName(name),
                sid,
                lastStoredAt,
                RemovalCause.DELETE,
                Origin.ofCommand("c", "a person", "a reason", "r"),
                1,
                Execution.undeclared(0),
                0,
                null,
                true);
    }
}
