package dev.ebb.topology.receipt;

import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.store.layout.SavedTree;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The Merkle tree over the audit records that one task writes. A leaf is the value of a record as it lies on the topic.
 * Each second with new leaves gets a checkpoint, so the last leaf waits for two seconds at most. Not thread-safe.
 */
public final class AuditTree {

    private static final long PERIOD_MS = Duration.ofSeconds(1).toMillis();

    private final TreeName name;
    private final String origin;
    private final SavedTree saved;
    private final NoteSigner signer;
    private long closedAtMs;

    public AuditTree(TreeName name, String applicationId, SavedTree saved, NoteSigner signer) {
        this.name = name;
        this.origin = name.origin(applicationId);
        this.saved = saved;
        this.signer = signer;
    }

    /** Returns the leaf that the record becomes once it is sent with the headers of the leaf and {@link #add}ed. */
    public Leaf leaf(byte[] record) {
        Hash hash = Hash.ofLeaf(record);
        Headers headers = new RecordHeaders();
        LeafMark mark = new LeafMark(name.value(), saved.edge().size(), hash);
        EbbHeaders.set(headers, EbbHeaders.LEAF, mark.toString());
        return new Leaf(hash, headers);
    }

    /** Adds the leaf of a record that was sent. */
    public void add(Leaf leaf) {
        saved.set(saved.edge().with(leaf.hash()), saved.closed());
    }

    /** Returns the time from which {@link #close} makes a checkpoint; {@link Long#MAX_VALUE} if no leaf waits. */
    public long nextMs() {
        return isOpen() ? closedAtMs + PERIOD_MS : Long.MAX_VALUE;
    }

    /**
     * Returns the checkpoint to be sent now; null if there is none. If the clock is put back, the checkpoint comes
     * early rather than late.
     */
    public @Nullable Closed close(long nowMs) {
        if (!isOpen() || (nowMs >= closedAtMs && nowMs < nextMs())) {
            return null;
        }
        closedAtMs = nowMs;
        RightEdge edge = saved.edge();
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.LEFT_EDGE, saved.closed().toString());
        String note = signer.sign(new Checkpoint(origin, edge.size(), edge.root()).text())
                .toString();
        saved.set(edge, edge);
        return new Closed(bytes(name.value()), bytes(note), headers);
    }

    /** Returns the number of leaves at the last checkpoint. */
    public long closedLeaves() {
        return saved.closed().size();
    }

    private boolean isOpen() {
        return saved.edge().size() > saved.closed().size();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Leaf of a record.
     *
     * @param headers the headers that the record must carry
     */
    public record Leaf(Hash hash, Headers headers) {}

    /**
     * Checkpoint to be sent.
     *
     * @param key the name of the tree
     * @param note the signed note
     * @param headers the edge of the tree at the previous checkpoint
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Closed(byte[] key, byte[] note, Headers headers) {}
}
