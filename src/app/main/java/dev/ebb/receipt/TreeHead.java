package dev.ebb.receipt;

import static dev.ebb.receipt.TreeVerification.requireTime;

import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.receipt.KafkaReceipts.Trees;
import dev.ebb.runtime.history.TopicReader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The head of a tree, from which retention removes records. Retention removes nothing younger than it must keep, so a
 * record that is missing too early was removed by hand, as far as a remaining checkpoint or record can show it. Not
 * thread-safe.
 */
record TreeHead(TopicReader audit, TopicReader checkpoints, Trees trees) {

    /** Largest difference between the clocks of two brokers, whose times a record and its checkpoint bear. */
    private static final long SLACK_MS = Duration.ofMinutes(10).toMillis();

    private static final String TAKEN = " taken from the head of their topic although its retention still keeps"
            + " them, unless the retention was changed since";

    /** Returns true if nothing was removed from the partition of the tree. */
    boolean isThere(TreeName tree) {
        return audit.begin(tree.partition()) == 0 && checkpoints.begin(tree.partition()) == 0;
    }

    /** Returns the number of the first leaf that is there; {@link Long#MAX_VALUE} if there is none. */
    long firstLeaf(TreeName tree) {
        long[] first = {Long.MAX_VALUE};
        requireTime(audit.oldestFirst(tree.partition(), 0, 0, record -> {
            LeafMark mark = ClosedTree.markOf(record);
            if (mark != null && mark.tree().equals(tree.value())) {
                first[0] = mark.index();
            }
            return first[0] == Long.MAX_VALUE;
        }));
        return first[0];
    }

    /** Returns the last checkpoint; null if there is none. */
    @Nullable
    ClosedTree last(TreeName tree) {
        @Nullable ClosedTree[] last = {null};
        requireTime(checkpoints.oldestFirst(tree.partition(), 0, 0, record -> {
            ClosedTree closed = ClosedTree.of(record, tree);
            last[0] = closed != null && closed.isOne() ? closed : last[0];
            return true;
        }));
        return last[0];
    }

    /**
     * The remaining leaves of a tree.
     *
     * @param end the first offset behind these leaves; 0 if none is left
     * @param next the number behind the last leaf in unbroken order; the size of the tree if no leaf is missing, or
     *     none is left
     */
    record Left(long end, long next) {}

    /** Returns the remaining leaves of a tree of that size. A record out of order does not count. */
    Left left(TreeName tree, long size) {
        Left[] left = {new Left(0, size)};
        requireTime(audit.oldestFirst(tree.partition(), 0, 0, record -> {
            LeafMark mark = ClosedTree.markOf(record);
            if (mark == null || !mark.tree().equals(tree.value()) || mark.index() >= size) {
                return true;
            }
            if (left[0].end() > 0 && mark.index() != left[0].next()) {
                return false;
            }
            left[0] = new Left(record.offset() + 1, mark.index() + 1);
            return true;
        }));
        return left[0];
    }

    /**
     * Returns the first part that is missing although retention still keeps it; null if nothing shows that.
     *
     * @param first number of the first leaf that is there
     */
    @Nullable
    Finding takenTooEarly(TreeName tree, long first) {
        long keptMs = trees.keptMs().getAsLong();
        if (keptMs == 0) {
            return null;
        }
        long sinceMs = keptMs == Long.MAX_VALUE ? 0 : trees.clock().millis() - keptMs + SLACK_MS;
        Finding leaves = leavesTaken(tree, first, sinceMs);
        return leaves == null ? checkpointsTaken(tree, first, sinceMs) : leaves;
    }

    /** A leaf is no older than the checkpoint in front of its own. */
    private @Nullable Finding leavesTaken(TreeName tree, long first, long sinceMs) {
        @Nullable Finding[] found = {null};
        @Nullable ClosedTree[] before = {null};
        requireTime(checkpoints.oldestFirst(tree.partition(), 0, 0, record -> {
            ClosedTree closed = ClosedTree.of(record, tree);
            if (closed == null || !closed.isOne()) {
                return true;
            }
            if (closed.left().size() >= first) {
                return false;
            }
            long oldestMs = before[0] == null ? closed.timeMs() - SLACK_MS : before[0].timeMs();
            if (oldestMs >= sinceMs) {
                long last = Math.min(first, closed.checkpoint().size()) - 1;
                found[0] =
                        new Finding(Finding.Kind.DROPPED, closed.left().size(), last, null, "the records were" + TAKEN);
            }
            before[0] = closed;
            return found[0] == null;
        }));
        return found[0];
    }

    /** The last record in front of the leaves of the first remaining checkpoint once had a checkpoint of its own. */
    private @Nullable Finding checkpointsTaken(TreeName tree, long first, long sinceMs) {
        long covered = firstCovered(tree);
        if (first >= covered) {
            return null;
        }
        boolean isNoneLeft = covered == Long.MAX_VALUE;
        long beforeMs = isNoneLeft ? trees.clock().millis() - TreeVerification.LATE_MS : Long.MAX_VALUE;
        long[] newestMs = {-1};
        requireTime(audit.oldestFirst(tree.partition(), 0, 0, record -> {
            LeafMark mark = ClosedTree.markOf(record);
            boolean isOurs = mark != null && mark.tree().equals(tree.value());
            boolean isInFront = mark != null && mark.index() < covered;
            if (isOurs && isInFront && record.timestamp() < beforeMs) {
                newestMs[0] = record.timestamp();
            }
            return !isOurs || isInFront;
        }));
        return newestMs[0] >= 0 && newestMs[0] >= sinceMs
                ? new Finding(
                        Finding.Kind.CHECKPOINT,
                        0,
                        isNoneLeft ? first : covered,
                        null,
                        (isNoneLeft ? "all checkpoints were" : "the checkpoints before it were") + TAKEN)
                : null;
    }

    /**
     * Returns the number of the first leaf that a remaining checkpoint covers; {@link Long#MAX_VALUE} if there is none.
     */
    private long firstCovered(TreeName tree) {
        long[] covered = {Long.MAX_VALUE};
        requireTime(checkpoints.oldestFirst(tree.partition(), 0, 0, record -> {
            ClosedTree closed = ClosedTree.of(record, tree);
            if (closed == null || !closed.isOne()) {
                return true;
            }
            covered[0] = closed.left().size();
            return false;
        }));
        return covered[0];
    }
}
