package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;

/** What happens to the topic of the trash: compaction, and loss of records. Both keep the offsets of all others. */
final class TrashTopic {

    private final World world;
    private final Draw draw;

    TrashTopic(World world, Draw draw) {
        this.world = world;
        this.draw = draw;
    }

    private List<Message> log(int partition) {
        return world.broker.log(world.topics.trash(), partition);
    }

    private int somePartition() {
        return draw.below(world.topics.partitions());
    }

    /**
     * Compacts the records before some offset: of those with one key only the last stays, and a tombstone may go once
     * nothing is left that it removes.
     */
    void compact() {
        List<Message> log = log(somePartition());
        List<Message> old = log.subList(0, draw.below(log.size() + 1));
        boolean areTombstonesOver = draw.either();
        Set<Bytes> later = new HashSet<>();
        for (int i = old.size() - 1; i >= 0; i--) {
            Message message = old.get(i);
            boolean isLast = later.add(Bytes.wrap(Objects.requireNonNull(message.key())));
            if (!isLast || (message.value() == null && areTombstonesOver)) {
                old.remove(i);
            }
        }
    }

    /** Loses the first records of a partition, as by a retention that is too short, or the whole topic, which is made anew. */
    List<Message> lose() {
        List<Message> lost = new ArrayList<>();
        if (draw.oneIn(4)) {
            for (int partition = 0; partition < world.topics.partitions(); partition++) {
                lost.addAll(log(partition));
            }
            world.broker.topic(world.topics.trash(), world.topics.partitions());
        } else {
            List<Message> log = log(somePartition());
            List<Message> first = log.subList(0, draw.below(log.size() + 1));
            lost.addAll(first);
            first.clear();
        }
        return lost;
    }
}
