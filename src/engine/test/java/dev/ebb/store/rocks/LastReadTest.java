package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that were read last are remembered, but no more bytes of them than a partition may hold. */
@Tag("A-8")
class LastReadTest {

    private static final int BOUND = 2 << 20;
    private static final int VALUES = 600;

    /** Each value that a table has handed out, as long as it is held. */
    private final List<WeakReference<byte[]>> handedOut = new ArrayList<>();

    private final Set<Bytes> reads = new HashSet<>();

    /** A removal that finds its record remembered reads nothing; a larger one than may be remembered is read again. */
    @ParameterizedTest
    @ValueSource(ints = {200, 4_000, BOUND / 16, BOUND / 16 + 1, 700_000})
    void shouldHoldFewBytesOfWhatWasRead(int valueBytes) {
        // given
        DerivingStore store = readingStore(valueBytes);
        store.put(key(-1), new byte[1]);

        // when
        for (int i = 0; i < VALUES; i++) {
            assertThat(store.get(key(i))).hasSize(valueBytes);
        }

        // then
        assertThat(bytesHeld()).isLessThanOrEqualTo(BOUND);
        reads.clear();
        store.put(key(VALUES - 1), null);
        assertThat(reads).hasSize(valueBytes > BOUND / 16 ? 1 : 0);
    }

    @Test
    void shouldCountAValueOnceHoweverOftenItIsRead() {
        // given
        LastRead values = new LastRead();
        values.beginWriting();
        values.put(key(0), new byte[1000]);

        // when
        for (int i = 0; i < 10_000; i++) {
            values.put(key(1), new byte[1000]);
        }

        // then
        assertThat(values.remove(key(0))).isNotNull();
        assertThat(values.remove(key(1))).isNotNull();
        assertThat(values.remove(key(1))).isNull();
    }

    @Test
    void shouldForgetAValueThatALargerOneReplaces() {
        // given
        LastRead values = new LastRead();
        values.beginWriting();
        values.put(key(0), new byte[10]);

        // when
        values.put(key(0), new byte[LastRead.MAX_VALUE_BYTES + 1]);

        // then
        assertThat(values.remove(key(0))).isNull();
    }

    private long bytesHeld() {
        System.gc();
        return handedOut.stream()
                .map(WeakReference::get)
                .mapToLong(value -> value == null ? 0 : value.length)
                .sum();
    }

    /** Every key has a value of so many bytes. */
    private DerivingStore readingStore(int valueBytes) {
        OpenTable.Opener opener = (name, derivation, context, lock) -> new EmptyTable() {
            @Override
            public byte[] get(Bytes key) {
                byte[] value = new byte[valueBytes];
                handedOut.add(new WeakReference<>(value));
                reads.add(key);
                return value;
            }
        };
        DerivingStore store = new DerivingStore("events", Sources.ALL, opener);
        StateStoreContext context = new MockProcessorContext<>().getStateStoreContext();
        store.init(context, store);
        return store;
    }

    private static Bytes key(int number) {
        return Bytes.wrap(("r" + number).getBytes(StandardCharsets.UTF_8));
    }

    /** All records have entries, which are the same under each value. */
    private enum Sources implements Derivation {
        ALL;

        @Override
        public boolean isLookup(byte[] key) {
            return false;
        }

        @Override
        public boolean isSource(byte[] key) {
            return true;
        }

        @Override
        public boolean mayChange(byte[] key) {
            return false;
        }

        @Override
        public void derive(byte[] key, byte[] value, Entries entries) {}
    }
}
