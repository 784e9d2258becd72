package dev.ebb.simulation;

import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.topology.AuditReplay;
import dev.ebb.topology.SimulatedNode;
import org.apache.kafka.streams.test.TestRecord;

/** Every committed audit record is a leaf of the tree of its task, whatever was aborted, moved or started again (T-8). */
final class TreeLaw {

    /** The header that names the tree of a record. */
    private static final String LEAF = "ebb-leaf";

    private final World world;

    TreeLaw(World world) {
        this.world = world;
    }

    void check() {
        TreeName.all(world.topics.partitions()).forEach(this::check);
    }

    private void check(TreeName tree) {
        AuditReplay replay = new AuditReplay(tree);
        for (Message message : world.broker.log(world.topics.audit(), 0)) {
            String mark = SimulatedNode.header(message.headers(), LEAF);
            if (mark == null) {
                throw new Violation("T-8 every audit record is a leaf", message.toString());
            }
            if (mark.startsWith(tree + " ")) {
                replay.records.add(record(message));
            }
        }
        world.broker.log(world.topics.checkpoints(), 0).stream()
                .filter(message -> message.textOfKey().equals(tree.value()))
                .forEach(message -> replay.checkpoints.add(record(message)));
        Finding found = replay.again();
        long closed = replay.check().verified().size();
        if (found != null || closed != replay.records.size()) {
            throw new Violation(
                    "T-8 checkpoints agree with the audit",
                    "tree " + tree + " of " + replay.records.size() + " records, " + closed + " closed: " + found);
        }
        if (closed > 0) {
            Coverage.count("trees closed");
        }
    }

    private static TestRecord<byte[], byte[]> record(Message message) {
        return new TestRecord<>(message.key(), message.value(), message.headers(), message.timestampMs());
    }
}
