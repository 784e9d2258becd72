package dev.ebb.topology.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.store.layout.StateFormatException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class GateStoreTest {

    /** Where every version finds the format, see {@link dev.ebb.store.layout.StateFormat}. */
    private static final Bytes FORMAT = Bytes.wrap(new byte[] {6});

    private final KeyValueStore<Bytes, byte[]> stored =
            Stores.inMemoryKeyValueStore("gate").get();

    @Test
    void shouldNotTouchWhatANewerVersionWrote() {
        // given
        stored.put(FORMAT, new byte[] {0, 0, 0, 6, 1, '9'});

        // then
        assertThatThrownBy(() -> new GateStore(stored))
                .isInstanceOf(StateFormatException.class)
                .hasMessageContaining("the state of the policies was written by Ebb 9 in format 6");
        assertThat(keys()).containsExactly(FORMAT);
    }

    @Test
    void shouldNameTheFormatNotBeforeItMayWrite() {
        // when
        GateStore store = new GateStore(stored);

        // then
        assertThat(keys()).isEmpty();
        store.claim();
        assertThat(keys()).containsExactly(FORMAT);
    }

    private List<Bytes> keys() {
        List<Bytes> keys = new ArrayList<>();
        stored.all().forEachRemaining(entry -> keys.add(entry.key));
        return keys;
    }
}
