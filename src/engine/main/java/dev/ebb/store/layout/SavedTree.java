package dev.ebb.store.layout;

import dev.ebb.domain.receipt.RightEdge;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The Merkle tree over the audit of a task, as its state remembers it: the right edge now, and at the last checkpoint.
 * The entry is small and written once per commit, in the transaction of the records that it covers. Not thread-safe.
 */
public final class SavedTree {

    static final Bytes KEY = Bytes.wrap(new byte[] {UsageKeys.TREE});

    private final KeyValueStore<Bytes, byte[]> store;
    private final Runnable remindBeforeCommit;
    private RightEdge edge = RightEdge.EMPTY;
    private RightEdge closed = RightEdge.EMPTY;
    private boolean isUnsaved;

    /**
     * Creates a tree that has no leaves before {@link #open}.
     *
     * @param remindBeforeCommit asks for {@link #save} before the next commit; null if there is no such reminder and
     *     each change is written at once
     */
    public SavedTree(KeyValueStore<Bytes, byte[]> store, @Nullable Runnable remindBeforeCommit) {
        this.store = store;
        this.remindBeforeCommit = remindBeforeCommit == null ? this::save : remindBeforeCommit;
    }

    /**
     * Reads the tree from the state; without a saved tree, as after a version without trees, it begins without leaves.
     */
    public void open() {
        byte[] saved = store.get(KEY);
        String[] edges = saved == null ? null : new String(saved, StandardCharsets.US_ASCII).split("\n", -1);
        edge = edges == null ? RightEdge.EMPTY : RightEdge.parse(edges[0]);
        closed = edges == null ? RightEdge.EMPTY : RightEdge.parse(edges[1]);
        isUnsaved = false;
    }

    /** Returns the right edge of the tree. */
    public RightEdge edge() {
        return edge;
    }

    /** Returns the right edge at the last checkpoint. */
    public RightEdge closed() {
        return closed;
    }

    /** Sets both edges, to be written before the next commit. */
    public void set(RightEdge newEdge, RightEdge newClosed) {
        edge = newEdge;
        closed = newClosed;
        if (!isUnsaved) {
            isUnsaved = true;
            remindBeforeCommit.run();
        }
    }

    /** Writes the tree if it has changed. */
    public void save() {
        if (isUnsaved) {
            isUnsaved = false;
            store.put(KEY, (edge + "\n" + closed).getBytes(StandardCharsets.US_ASCII));
        }
    }
}
