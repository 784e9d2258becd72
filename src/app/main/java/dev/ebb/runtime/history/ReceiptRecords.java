package dev.ebb.runtime.history;

import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.TreeName;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Audit records of one part of a receipt, by tree and number. Not thread-safe. */
final class ReceiptRecords {

    private final Map<TreeName, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> trees =
            new TreeMap<>(Comparator.comparing(TreeName::value));
    private int count;
    private @Nullable ConsumerRecord<byte[], byte[]> last;

    void add(LeafMark mark, ConsumerRecord<byte[], byte[]> record) {
        trees.computeIfAbsent(new TreeName(mark.tree()), tree -> new TreeMap<>())
                .put(mark.index(), record);
        last = record;
        count++;
    }

    int count() {
        return count;
    }

    /** Returns the record that was added last; null if there is none. */
    @Nullable
    ConsumerRecord<byte[], byte[]> last() {
        return last;
    }

    Map<TreeName, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> trees() {
        return trees;
    }
}
