package dev.ebb.receipt;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.ReceiptQueries;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.serde.records.ReportReader;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Makes receipts from the topics of the audit and its checkpoints, and compares the two. */
public record KafkaReceipts(TopicReader audit, TopicReader checkpoints, ReportReader reader, Trees trees)
        implements ReceiptQueries {

    /** Maximum number of records of a part, which is built in memory and sent as one answer. */
    static final int MOST_RECORDS = 1000;

    /** Time by which the broker may record an entry later than the entry says. */
    private static final long LATE_MS = Duration.ofMinutes(10).toMillis();

    /**
     * Trees of an application.
     *
     * @param applicationId the id with which their origins begin
     * @param partitions number of partitions of the audit
     * @param clock the clock of this machine
     * @param keptMs time for which the topic of the audit keeps its records, in milliseconds; {@link Long#MAX_VALUE} if
     *     for ever, 0 if not known
     * @param known by partition, the number of audit records that the state knows to have a checkpoint; 0 if its task
     *     runs elsewhere
     */
    public record Trees(
            String applicationId, int partitions, Clock clock, LongSupplier keptMs, IntToLongFunction known) {

        List<TreeName> names() {
            return TreeName.all(partitions);
        }
    }

    @Override
    public Part receipt(AuditFilter filter, @Nullable String event, @Nullable String after) {
        if (after != null) {
            return part(filter, event, ReceiptCursor.read(after));
        }
        ReceiptRecords first = new ReceiptRecords();
        long count = count(filter, event, first);
        int parts = Math.toIntExact(Math.max(1, (count + MOST_RECORDS - 1) / MOST_RECORDS));
        return parts == 1 ? Part.only(proven(first)) : part(filter, event, new ReceiptCursor(1, parts, 0, 0));
    }

    /** Counts the records that match, and keeps as many as one part has. */
    private long count(AuditFilter filter, @Nullable String event, ReceiptRecords kept) {
        long[] count = {0};
        boolean isComplete = audit.visit(filter.time(), record -> {
            LeafMark mark = ClosedTree.markOf(record);
            if (mark != null && matches(record, filter, event)) {
                count[0]++;
                if (count[0] <= MOST_RECORDS) {
                    kept.add(mark, record);
                }
            }
            return true;
        });
        if (!isComplete) {
            throw TopicReader.tooLong();
        }
        return count[0];
    }

    /** Returns that part. The records of a partition lie in the order in which they came, so a part goes on from one. */
    private Part part(AuditFilter filter, @Nullable String event, ReceiptCursor place) {
        ReceiptRecords records = new ReceiptRecords();
        for (int partition = place.partition();
                partition < trees.partitions() && !isFull(records, place);
                partition++) {
            long from = partition == place.partition() ? place.offset() : 0;
            boolean isRead = audit.oldestFirst(partition, from, filter.time().fromMs(), record -> {
                LeafMark mark = ClosedTree.markOf(record);
                if (mark != null && matches(record, filter, event)) {
                    records.add(mark, record);
                }
                return !isFull(records, place) && !isBehind(record, filter);
            });
            if (!isRead) {
                throw TopicReader.tooLong();
            }
        }
        ConsumerRecord<byte[], byte[]> last = records.last();
        if (last == null || records.count() > MOST_RECORDS) {
            throw new NotReadyException(
                    "audit records came or went while the receipt was made; begin it again", Duration.ofSeconds(1));
        }
        String next = place.isLast()
                ? null
                : place.next(last.partition(), last.offset()).toString();
        return new Part(proven(records), place.part(), place.parts(), next);
    }

    /** Returns true if no further record is needed; the last part looks for one too many. */
    private static boolean isFull(ReceiptRecords records, ReceiptCursor place) {
        return records.count() >= MOST_RECORDS + (place.isLast() ? 1 : 0);
    }

    private static boolean isBehind(ConsumerRecord<byte[], byte[]> record, AuditFilter filter) {
        return record.timestamp() - LATE_MS > filter.time().toMs();
    }

    private Receipt proven(ReceiptRecords records) {
        ReceiptMaker maker = new ReceiptMaker(audit, checkpoints);
        records.trees().forEach(maker::add);
        return maker.receipt();
    }

    private boolean matches(ConsumerRecord<byte[], byte[]> record, AuditFilter filter, @Nullable String event) {
        AuditRecord entry =
                record.value() == null ? null : reader.readAudit(record.value()).orElse(null);
        return entry != null
                && filter.test(entry)
                && (event == null || entry.eventIds().contains(event));
    }

    @Override
    public Verified verify(List<VerifierKey> keys, @Nullable Checkpoint known, @Nullable String after) {
        return new TreeVerification(audit, checkpoints, trees, keys, known).part(after);
    }

    /** Audit records of one part of a receipt, by tree and number. Not thread-safe. */
    private static final class ReceiptRecords {

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

    /**
     * Place at which the next part of a receipt begins, as text that is opaque to its reader.
     *
     * @param part the number of that part, from 1
     * @param parts number of all parts
     * @param partition the partition with the next record of the audit
     * @param offset the first offset that may have it
     */
    private record ReceiptCursor(int part, int parts, int partition, long offset) {

        private static final Pattern FORM = Pattern.compile("\\d{1,9}-\\d{1,9}-\\d{1,9}-\\d{1,18}");

        /** @throws BadCursorException if the text is no such cursor */
        static ReceiptCursor read(String text) {
            if (!FORM.matcher(text).matches()) {
                throw new BadCursorException();
            }
            String[] fields = text.split("-", -1);
            return new ReceiptCursor(
                    Integer.parseInt(fields[0]),
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    Long.parseLong(fields[3]));
        }

        /** Returns the place behind the last record of this part. */
        ReceiptCursor next(int lastPartition, long lastOffset) {
            return new ReceiptCursor(part + 1, parts, lastPartition, lastOffset + 1);
        }

        boolean isLast() {
            return part >= parts;
        }

        @Override
        public String toString() {
            return part + "-" + parts + "-" + partition + "-" + offset;
        }
    }
}
