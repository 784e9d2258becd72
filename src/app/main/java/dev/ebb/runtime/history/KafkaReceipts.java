package dev.ebb.runtime.history;

import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.ReceiptQueries;
import dev.ebb.serde.records.ReportReader;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Makes receipts from the topics of the audit and its checkpoints, and compares the two. */
public final class KafkaReceipts implements ReceiptQueries {

    /** Maximum number of records of a receipt, which is built in memory and sent as one answer. */
    private static final int MOST_RECORDS = 1000;

    private final TopicReader audit;
    private final TopicReader checkpoints;
    private final ReportReader reader;
    private final Trees trees;

    /**
     * Trees of an application.
     *
     * @param applicationId the id with which their origins begin
     * @param partitions number of partitions of the audit
     * @param clock the clock of this machine
     * @param keptMs time for which the topic of the audit keeps its records, in milliseconds; {@link Long#MAX_VALUE} if
     *     for ever, 0 if not known
     */
    public record Trees(String applicationId, int partitions, Clock clock, LongSupplier keptMs) {

        List<TreeName> names() {
            return TreeName.all(partitions);
        }
    }

    public KafkaReceipts(TopicReader audit, TopicReader checkpoints, ReportReader reader, Trees trees) {
        this.audit = audit;
        this.checkpoints = checkpoints;
        this.reader = reader;
        this.trees = trees;
    }

    @Override
    public Receipt receipt(AuditFilter filter, @Nullable String event) {
        Map<TreeName, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> found = find(filter, event);
        ReceiptMaker maker = new ReceiptMaker(audit, checkpoints);
        found.forEach(maker::add);
        return maker.receipt();
    }

    private Map<TreeName, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> find(
            AuditFilter filter, @Nullable String event) {
        Map<TreeName, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> found =
                new TreeMap<>(Comparator.comparing(TreeName::value));
        int[] count = {0};
        boolean isComplete = audit.visit(filter.time(), record -> {
            LeafMark mark = ClosedTree.markOf(record);
            if (mark != null && matches(record, filter, event)) {
                found.computeIfAbsent(new TreeName(mark.tree()), tree -> new TreeMap<>())
                        .put(mark.index(), record);
                count[0]++;
            }
            return count[0] <= MOST_RECORDS;
        });
        requireAll(count[0], isComplete);
        return found;
    }

    private static void requireAll(int count, boolean isComplete) {
        if (count > MOST_RECORDS) {
            throw new RefusedReceiptException("more than " + MOST_RECORDS
                    + " audit records match; ask for a part of them with 'stream', 'from' and 'to'");
        }
        if (!isComplete) {
            throw TopicReader.tooLong();
        }
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
}
