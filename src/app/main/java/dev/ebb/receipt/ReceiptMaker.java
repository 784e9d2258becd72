package dev.ebb.receipt;

import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.receipt.TreeSection;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.history.ReceiptQueries.RefusedReceiptException;
import dev.ebb.runtime.history.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Proves audit records. Each record is proved by the first checkpoint behind it, which knows the edge of the tree in
 * front of its second, so only that second of the audit is read, however long the audit is. Not thread-safe.
 */
final class ReceiptMaker {

    /** Largest difference between the clocks of two brokers, whose times a record and its checkpoint bear. */
    private static final long SLACK_MS = Duration.ofMinutes(10).toMillis();

    private final TopicReader audit;
    private final TopicReader checkpoints;
    private final List<SignedNote> notes = new ArrayList<>();
    private final List<Receipt.Proven> proven = new ArrayList<>();

    ReceiptMaker(TopicReader audit, TopicReader checkpoints) {
        this.audit = audit;
        this.checkpoints = checkpoints;
    }

    Receipt receipt() {
        return new Receipt(notes, proven);
    }

    /** Adds records of a tree, by their numbers. */
    void add(TreeName tree, NavigableMap<Long, ConsumerRecord<byte[], byte[]>> records) {
        long firstMs = records.values().stream()
                .mapToLong(ConsumerRecord::timestamp)
                .min()
                .orElseThrow();
        long sinceMs = Math.max(0, firstMs - SLACK_MS);
        NavigableMap<Long, Section> sections = sections(tree, records, sinceMs);
        read(tree, sections, sinceMs);
        if (!areWhole(sections)) {
            // The second of a checkpoint may have begun long before, if an instance stopped in the middle of it.
            read(tree, sections, 0);
        }
        sections.values().forEach(section -> prove(tree, section, records));
    }

    private static boolean areWhole(Map<Long, Section> sections) {
        return sections.values().stream().allMatch(Section::isWhole);
    }

    /** Returns the first checkpoint behind each record, by the number of its first leaf. */
    private NavigableMap<Long, Section> sections(TreeName tree, NavigableMap<Long, ?> records, long sinceMs) {
        NavigableMap<Long, Section> sections = new TreeMap<>();
        @Nullable Long[] wanted = {records.firstKey()};
        boolean isRead = checkpoints.oldestFirst(tree.partition(), 0, sinceMs, record -> {
            ClosedTree closed = ClosedTree.of(record, tree);
            Long index = wanted[0];
            if (closed != null
                    && closed.isOne()
                    && index != null
                    && index < closed.checkpoint().size()) {
                sections.put(closed.left().size(), new Section(closed));
                wanted[0] = records.ceilingKey(closed.checkpoint().size());
            }
            return wanted[0] != null;
        });
        if (!isRead) {
            throw TopicReader.tooLong();
        }
        if (wanted[0] != null) {
            throw new NotReadyException(
                    "the checkpoint over the newest of these deletes is still to come", Duration.ofSeconds(1));
        }
        return sections;
    }

    private void read(TreeName tree, NavigableMap<Long, Section> sections, long sinceMs) {
        long end = sections.lastEntry().getValue().closed.checkpoint().size();
        boolean isRead = audit.oldestFirst(tree.partition(), 0, sinceMs, record -> {
            LeafMark mark = ClosedTree.markOf(record);
            if (mark == null || !mark.tree().equals(tree.value())) {
                return true;
            }
            Map.Entry<Long, Section> section = sections.floorEntry(mark.index());
            if (section != null) {
                section.getValue().put(mark.index(), record.value());
            }
            return mark.index() < end - 1;
        });
        if (!isRead) {
            throw TopicReader.tooLong();
        }
    }

    private void prove(TreeName tree, Section section, NavigableMap<Long, ConsumerRecord<byte[], byte[]>> records) {
        ClosedTree closed = section.closed;
        long size = closed.checkpoint().size();
        if (!section.isWhole()) {
            throw new RefusedReceiptException(
                    "audit records between " + closed.left().size() + " and " + size + " of the tree '" + tree
                            + "' are missing; 'ebb audit verify' names the first");
        }
        TreeSection leaves = new TreeSection(closed.left(), Arrays.asList(section.leaves));
        if (!leaves.root().equals(closed.checkpoint().root())) {
            throw new RefusedReceiptException(
                    "the audit records between " + closed.left().size() + " and " + size + " of the tree '" + tree
                            + "' do not agree with their checkpoint; see 'ebb audit verify'");
        }
        records.subMap(closed.left().size(), size)
                .forEach((index, record) -> proven.add(
                        new Receipt.Proven(notes.size(), index, record.value(), leaves.inclusionProof(index))));
        notes.add(closed.note());
    }

    /** The leaves of one second with its checkpoint. */
    private static final class Section {

        private final ClosedTree closed;
        private final Hash[] leaves;

        Section(ClosedTree closed) {
            this.closed = closed;
            this.leaves = new Hash
                    [Math.toIntExact(closed.checkpoint().size() - closed.left().size())];
        }

        void put(long index, byte[] value) {
            if (index < closed.checkpoint().size()) {
                leaves[Math.toIntExact(index - closed.left().size())] = Hash.ofLeaf(value);
            }
        }

        boolean isWhole() {
            return Arrays.stream(leaves).allMatch(Objects::nonNull);
        }
    }
}
