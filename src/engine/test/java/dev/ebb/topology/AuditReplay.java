package dev.ebb.topology;

import dev.ebb.domain.receipt.AuditCheck;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The audit topic of one partition and its checkpoints as they were sent, and the check of one tree over both. */
public final class AuditReplay {

    public final List<TestRecord<byte[], byte[]>> records = new ArrayList<>();
    public final List<TestRecord<byte[], byte[]>> checkpoints = new ArrayList<>();
    private final TreeName tree;
    private AuditCheck check;
    private int recordsSeen;
    private int checkpointsSeen;

    public AuditReplay(TreeName tree) {
        this.tree = tree;
        this.check = begin();
    }

    private AuditCheck begin() {
        return new AuditCheck(tree.value(), tree.neighbours(), RightEdge.EMPTY, false);
    }

    /** Reads everything again from the beginning. */
    public @Nullable Finding again() {
        check = begin();
        recordsSeen = 0;
        checkpointsSeen = 0;
        return goOn();
    }

    /** Reads on; returns the first fault, or null if there is none. */
    public @Nullable Finding goOn() {
        Finding found = null;
        while (found == null && checkpointsSeen < checkpoints.size()) {
            TestRecord<byte[], byte[]> next = checkpoints.get(checkpointsSeen++);
            if (new String(next.key(), StandardCharsets.UTF_8).equals(tree.value())) {
                found = checkpoint(next);
            }
        }
        return found;
    }

    private @Nullable Finding checkpoint(TestRecord<byte[], byte[]> record) {
        Checkpoint checkpoint = Checkpoint.parse(note(record).text());
        while (check.edge().size() < checkpoint.size() && recordsSeen < records.size()) {
            Finding found = record(recordsSeen++);
            if (found != null) {
                return found;
            }
        }
        return check.checkpoint(checkpoint, RightEdge.parse(EbbHeaders.text(record.headers(), EbbHeaders.LEFT_EDGE)));
    }

    private @Nullable Finding record(int offset) {
        TestRecord<byte[], byte[]> record = records.get(offset);
        String mark = EbbHeaders.text(record.headers(), EbbHeaders.LEAF);
        return check.record(offset, mark == null ? null : LeafMark.parse(mark), record.value());
    }

    public static SignedNote note(TestRecord<byte[], byte[]> checkpoint) {
        return SignedNote.parse(new String(checkpoint.value(), StandardCharsets.UTF_8));
    }

    public AuditCheck check() {
        return check;
    }
}
