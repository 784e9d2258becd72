package dev.ebb.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.UsageKeys;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("A-17")
class StreamNamesTest {

    private final KeyValueStore<Bytes, byte[]> usage =
            Stores.inMemoryKeyValueStore("usage").get();

    @Test
    void shouldNameTheStreamsOfANamespaceAndNotThoseOfItsNeighbours() {
        // given
        for (String name : List.of("a", "a-b/1", "a./1", "a/", "a/1", "a/1/2", "a/z", "a0", "a0/1", "ab/1")) {
            put(name);
        }
        usage.put(UsageKeys.single(UsageKeys.FOLLOWED), new byte[] {1});

        // then
        assertThat(read(StreamNames.of(usage, "a"))).containsExactly("a/", "a/1", "a/1/2", "a/z");
        assertThat(read(StreamNames.of(usage, "b"))).isEmpty();
        assertThat(read(StreamNames.all(usage))).hasSize(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {127, 128, 129, 1000})
    void shouldReadAPageAtATime(int streams) {
        // given
        List<String> names =
                IntStream.range(0, streams).mapToObj(i -> "a/" + (10_000 + i)).toList();
        names.forEach(this::put);

        // then
        assertThat(read(StreamNames.of(usage, "a"))).isEqualTo(names);
        assertThat(read(StreamNames.all(usage))).isEqualTo(names);
    }

    @Test
    void shouldGoOnBesideStreamsThatGo() {
        // given
        IntStream.range(0, 300).forEach(i -> put("a/" + (1000 + i)));
        Iterator<StreamName> names = StreamNames.of(usage, "a");

        // when
        names.next();
        usage.put(UsageKeys.stream(new StreamName("a/1128")), null);

        // then
        assertThat(read(names)).hasSize(298).doesNotContain("a/1128").endsWith("a/1299");
    }

    private void put(String name) {
        usage.put(UsageKeys.stream(new StreamName(name)), new byte[] {1});
    }

    private static List<String> read(Iterator<StreamName> names) {
        List<String> read = new ArrayList<>();
        names.forEachRemaining(name -> read.add(name.value()));
        return read;
    }
}
