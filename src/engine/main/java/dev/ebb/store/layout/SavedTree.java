package dev.ebb.store.layout;

import dev.ebb.domain.receipt.RightEdge;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The Merkle tree over the audit of a task, as its state remembers it: the right edge now, and at the last checkpoint.
 * The entry is small and written once a commit, in the transaction of the records that it covers. Not thread-safe.
 */
public final class SavedTree {

    static final Bytes KEY = Bytes.wrap(new byte[] {UsageKeys.TREE});

    private final KeyValueStore<Bytes, byte[]> store;
    private final Runnable remindBeforeCommit;
    private RightEdge edge = RightEdge.EMPTY;
    private RightEdge closed = RightEdge.EMPTY;
    private boolean isUnsaved;

    /**
     * A tree without leaves before {@link #open}.
     *
     * @param remindBeforeCommit asks for {@link #save} before the next commit; null if there is no such reminder, then each
     *     change is written at once
     */
    public SavedTree(KeyValueStore<Bytes, byte[]> store, @Nullable Runnable remindBeforeCommit) {
        this.store = store;
        this.remindBeforeCommit = remindBeforeCommit == null ? this::save : remindBeforeCommit;
    }

    /** Reads the tree from the state; one of a version without trees begins without leaves. */
    public void open() {
        byte[] saved = store.get(KEY);
        String[] edges = saved == null ? null : new String(saved, StandardCharsets.US_ASCII).split("\n", -1);
        edge = edges == null ? RightEdge.EMPTY : RightEdge.parse(edges[0]);
        closed = edges == null ? RightEdge.EMPTY : RightEdge.parse(edges[1]);
        isUnsaved = false;
    }

    /** The edge of the tree. */
    public RightEdge edge() {
        return edge;
    }

    /** The edge at the last checkpoint. */
    public RightEdge closed() {
        return closed;
    }

    /** Takes in how the tree is now. */
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
