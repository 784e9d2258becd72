package dev.ebb.receipt;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.port.history.ReceiptQueries.RefusedReceiptException;
import dev.ebb.port.history.ReceiptQueries.Verified;
import dev.ebb.receipt.KafkaReceipts.Trees;
import dev.ebb.runtime.history.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the audit part by part. Records that retention has removed from the head of the topics are no fault: a tree
 * is verified from the first checkpoint whose second is complete. Not thread-safe.
 */
final class TreeVerification {

    /** Maximum number of checkpoints of one part; a second of deletes has one. */
    private static final int CHECKPOINTS_AT_ONCE = 1000;

    private static final int LOOKS_AT_THE_END = 5;

    private static final String LOST = "the state knows these records, and the topics have no checkpoint of them: the"
            + " topics were deleted and made again";

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * Time within which a checkpoint must appear. It appears within two seconds, later if a task moves to another
     * instance, and the clocks here and of the broker may differ by as much as the clock guard allows.
     */
    static final long LATE_MS = Duration.ofMinutes(11).toMillis();

    private final TopicReader audit;
    private final TopicReader checkpoints;
    private final Trees trees;
    private final List<VerifierKey> keys;
    private final @Nullable Checkpoint known;
    private final TreeHead head;

    TreeVerification(
            TopicReader audit,
            TopicReader checkpoints,
            Trees trees,
            List<VerifierKey> keys,
            @Nullable Checkpoint known) {
        this.audit = audit;
        this.checkpoints = checkpoints;
        this.trees = trees;
        this.keys = keys;
        this.known = known;
        this.head = new TreeHead(audit, checkpoints, trees);
    }

    Verified part(@Nullable String after) {
        VerifyCursor from = after == null ? VerifyCursor.beginOf(first()) : VerifyCursor.read(after);
        if (!trees.names().contains(from.tree())) {
            throw new BadCursorException();
        }
        if (from.hasBegun() || from.auditOffset() > 0) {
            return compare(from);
        }
        return known == null ? fromBegin(from.tree()) : fromKnown(from.tree(), known);
    }

    private TreeName first() {
        if (known == null) {
            return trees.names().get(0);
        }
        return trees.names().stream()
                .filter(tree -> tree.origin(trees.applicationId()).equals(known.origin()))
                .findFirst()
                .orElseThrow(() -> new RefusedReceiptException(
                        "the checkpoint of '" + known.origin() + "' belongs to no tree of this application"));
    }

    /** Begins with the first checkpoint whose second is complete, if anything was removed. */
    private Verified fromBegin(TreeName tree) {
        if (head.isThere(tree)) {
            long lost = lost(tree);
            return lost == 0
                    ? compare(VerifyCursor.beginOf(tree))
                    : failed(tree, 0, new Finding(Finding.Kind.DROPPED, 0, lost - 1, null, LOST), next(tree));
        }
        long first = head.firstLeaf(tree);
        ClosedTree whole = find(tree, closed -> closed.left().size() >= first);
        Finding taken = head.takenTooEarly(tree, first);
        if (taken != null) {
            return failed(tree, 0, taken, next(tree));
        }
        if (whole != null) {
            return compare(goOnAt(tree, whole));
        }
        ClosedTree last = head.last(tree);
        return last == null ? new Verified(tree.value(), 0, 0, 0, 0, 0, 0, null, null, next(tree)) : behind(tree, last);
    }

    /** Returns the number of records that the state knows, if topics that seem to be whole have no checkpoint at all. */
    private long lost(TreeName tree) {
        long known = tree.equals(TreeName.POLICIES) ? 0 : trees.known().applyAsLong(tree.partition());
        return known > 0 && find(tree, closed -> true) == null ? known : 0;
    }

    /**
     * Verifies the records behind the last checkpoint, if some of its own records are gone and its root cannot be
     * computed again.
     */
    private Verified behind(TreeName tree, ClosedTree last) {
        long size = last.checkpoint().size();
        TreeHead.Left left = head.left(tree, size);
        if (left.next() < size) {
            Finding missing = new Finding(Finding.Kind.DROPPED, left.next(), size - 1, null, "the records are missing");
            return failed(tree, size, missing, next(tree));
        }
        RightEdge unknown = new RightEdge(size, Collections.nCopies(Long.bitCount(size), Hash.OF_NOTHING));
        VerifyCursor from = new VerifyCursor(tree, true, left.end(), last.offset() + 1, unknown);
        ClosedTrees closed = closed(from);
        if (!closed.list().isEmpty()) {
            // A new checkpoint has arrived, with an edge to continue from.
            return part(VerifyCursor.beginOf(tree).write());
        }
        return compare(from, closed);
    }

    /** Not begun: the records in front of the edge are skipped. */
    private static VerifyCursor goOnAt(TreeName tree, ClosedTree closed) {
        return new VerifyCursor(tree, false, 0, closed.offset(), closed.left());
    }

    private @Nullable ClosedTree find(TreeName tree, Predicate<ClosedTree> wanted) {
        List<ClosedTree> found = new ArrayList<>();
        requireTime(checkpoints.oldestFirst(tree.partition(), 0, 0, record -> {
            ClosedTree closed = ClosedTree.of(record, tree);
            if (closed != null && closed.isOne() && wanted.test(closed)) {
                found.add(closed);
            }
            return found.isEmpty();
        }));
        return found.isEmpty() ? null : found.get(0);
    }

    /**
     * The tree must continue from the checkpoint that the caller has kept, whatever the topics say about earlier times.
     */
    private Verified fromKnown(TreeName tree, Checkpoint kept) {
        ClosedTree next = find(
                tree,
                closed -> closed.left().size() >= kept.size()
                        || closed.checkpoint().size() >= kept.size());
        if (next == null) {
            return failed(tree, kept, Finding.Kind.DROPPED, "the topics end before the kept checkpoint");
        }
        if (next.checkpoint().size() == kept.size()) {
            return fromSame(tree, kept, next);
        }
        boolean isNext = next.left().size() == kept.size() && next.left().root().equals(kept.root());
        return isNext ? goOnFrom(tree, kept, next) : notFrom(tree, kept, next);
    }

    private Verified fromSame(TreeName tree, Checkpoint kept, ClosedTree same) {
        if (!same.checkpoint().root().equals(kept.root())) {
            return failed(tree, kept, Finding.Kind.CHANGED, "the kept checkpoint has another root");
        }
        ClosedTree behind = find(tree, closed -> closed.left().size() == kept.size());
        return behind == null ? fromLast(tree, same) : goOnFrom(tree, kept, behind);
    }

    /** No checkpoint follows the one that the caller has kept, but records may. */
    private Verified fromLast(TreeName tree, ClosedTree last) {
        long first = head.isThere(tree) ? 0 : head.firstLeaf(tree);
        if (first <= last.left().size()) {
            return compare(goOnAt(tree, last));
        }
        Finding taken = head.takenTooEarly(tree, first);
        return taken == null
                ? behind(tree, last).from(last.note().toString())
                : failed(tree, last.checkpoint().size(), taken, null);
    }

    private Verified goOnFrom(TreeName tree, Checkpoint kept, ClosedTree behind) {
        long first = head.isThere(tree) ? 0 : head.firstLeaf(tree);
        if (first <= kept.size()) {
            return compare(goOnAt(tree, behind));
        }
        Finding taken = head.takenTooEarly(tree, first);
        return taken == null ? tooOld(tree, kept, first) : failed(tree, kept.size(), taken, null);
    }

    private Verified notFrom(TreeName tree, Checkpoint kept, ClosedTree next) {
        boolean mayBeTaken = next.left().size() > kept.size() && !head.isThere(tree);
        return mayBeTaken
                ? tooOld(tree, kept, next.left().size())
                : failed(tree, kept, Finding.Kind.CHECKPOINT, "the tree does not continue from the kept checkpoint");
    }

    private static Verified tooOld(TreeName tree, Checkpoint kept, long first) {
        return failed(
                tree,
                kept,
                Finding.Kind.CHECKPOINT,
                "the records between it and " + first
                        + " are gone, so it cannot be checked whether the tree continues from the kept checkpoint;"
                        + " keep a checkpoint more often than every topics.audit.retention");
    }

    private static Verified failed(TreeName tree, Checkpoint kept, Finding.Kind kind, String detail) {
        return failed(tree, kept.size(), new Finding(kind, kept.size(), kept.size(), null, detail), null);
    }

    private static Verified failed(TreeName tree, long size, Finding finding, @Nullable String next) {
        return new Verified(tree.value(), size, size, 0, 0, 0, 0, null, finding, next);
    }

    private Verified compare(VerifyCursor from) {
        return compare(from, closed(from));
    }

    private Verified compare(VerifyCursor from, ClosedTrees closed) {
        TreeName tree = from.tree();
        TreePart part = new TreePart(from, closed, keys);
        boolean isRead = audit.oldestFirst(tree.partition(), from.auditOffset(), 0, part::record);
        for (int looks = 0; isRead && part.lacksRecords() && looks < LOOKS_AT_THE_END; looks++) {
            // The markers that end a transaction may reach the audit a moment after its checkpoint.
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            isRead = audit.oldestFirst(tree.partition(), part.auditOffset(), 0, part::record);
        }
        if (isRead) {
            part.end(trees.clock().millis() - LATE_MS);
        }
        // Nothing of the tree follows the last checkpoint, however long the read takes.
        boolean isLast = closed.isAll() && (isRead || !part.hasNext());
        return part.verified(isLast || part.finding() != null ? next(tree) : part.goOn());
    }

    private ClosedTrees closed(VerifyCursor from) {
        List<ClosedTree> closed = new ArrayList<>();
        requireTime(checkpoints.oldestFirst(from.tree().partition(), from.checkpointOffset(), 0, record -> {
            ClosedTree one = ClosedTree.of(record, from.tree());
            if (one != null) {
                closed.add(one);
            }
            return closed.size() <= CHECKPOINTS_AT_ONCE;
        }));
        boolean isAll = closed.size() <= CHECKPOINTS_AT_ONCE;
        return new ClosedTrees(isAll ? closed : closed.subList(0, CHECKPOINTS_AT_ONCE), isAll);
    }

    /** Returns the cursor of the tree behind that one; null if it is the last one to verify. */
    private @Nullable String next(TreeName tree) {
        int next = trees.names().indexOf(tree) + 1;
        return known != null || next == trees.names().size()
                ? null
                : VerifyCursor.beginOf(trees.names().get(next)).write();
    }

    static void requireTime(boolean isRead) {
        if (!isRead) {
            throw TopicReader.tooLong();
        }
    }
}
