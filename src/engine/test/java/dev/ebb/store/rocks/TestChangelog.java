package dev.ebb.store.rocks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/** A partition of a changelog, written in transactions. */
final class TestChangelog {

    /** Records by offset; null where a transaction ended, or records were aborted. */
    private final List<@Nullable KeyValue<byte[], byte[]>> records = new ArrayList<>();

    private int committed;

    void add(byte[] key, byte @Nullable [] value) {
        records.add(KeyValue.pair(key, value));
    }

    /** Ends the transaction; returns the offset of its last record, or a negative number if it has none. */
    long commit() {
        if (records.size() == committed) {
            return -1;
        }
        records.add(null);
        committed = records.size();
        return committed - 2;
    }

    void abort() {
        for (int i = committed; i < records.size(); i++) {
            records.set(i, null);
        }
        committed = records.size();
    }

    /** Offset of the next record. */
    int end() {
        return records.size();
    }

    /** The records from that offset on and before the other. */
    List<KeyValue<byte[], byte[]>> read(int from, int to) {
        List<KeyValue<byte[], byte[]>> read = new ArrayList<>(records.subList(from, to));
        read.removeIf(Objects::isNull);
        return read;
    }

    /** The records from that offset on for a reader that is overtaken by a compaction. */
    List<KeyValue<byte[], byte[]>> readCompacted(int from, Random random) {
        List<KeyValue<byte[], byte[]>> left = read(from, records.size());
        for (int i = left.size() - 1; i >= 0; i--) {
            byte[] key = left.get(i).key;
            boolean isLast =
                    left.subList(i + 1, left.size()).stream().noneMatch(later -> Arrays.equals(later.key, key));
            if (!isLast && random.nextBoolean()) {
                left.remove(i);
            }
        }
        return left;
    }

    /** All that should be stored after the records before that offset, derived entries included. */
    Map<String, String> contents(int to, Derivation derivation) {
        Map<String, String> contents = new TreeMap<>();
        read(0, to).forEach(record -> contents.put(text(record.key), record.value == null ? null : text(record.value)));
        contents.values().removeIf(Objects::isNull);
        Map<String, String> all = new TreeMap<>(contents);
        contents.forEach((key, value) -> derivation.derive(
                utf8(key), utf8(value), (entry, content) -> all.put(text(entry), text(content.get()))));
        return all;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
