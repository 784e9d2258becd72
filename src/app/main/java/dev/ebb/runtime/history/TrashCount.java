package dev.ebb.runtime.history;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.port.history.TrashQueries.Contents;
import dev.ebb.port.history.TrashQueries.Part;
import dev.ebb.port.history.TrashQueries.Sums;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Adds up what waits in the trash, of which all records are shown, those of each partition in their order. Remembers some
 * 30 bytes for each until the end, since a record may be taken out further on. Not thread-safe.
 */
final class TrashCount {

    private final long nowMs;
    private final List<Group> groups = new ArrayList<>();
    private final Map<Group, Integer> numbers = new HashMap<>();
    private final Map<Integer, Rows> partitions = new HashMap<>();

    /** @param nowMs what could be undone only until then does not count, epoch milliseconds */
    TrashCount(long nowMs) {
        this.nowMs = nowMs;
    }

    private record Group(String namespace, RemovalCause cause, String command, String change) {}

    /** The records of one partition that may count. */
    private static final class Rows {

        private static final int FIRST_SIZE = 256;
        private static final long EXECUTION = -1;

        private final Set<Long> takenOut = new HashSet<>();
        private long[] offsets = new long[FIRST_SIZE];
        private long[] untilMs = new long[FIRST_SIZE];
        private long[] bytes = new long[FIRST_SIZE];
        private int[] groups = new int[FIRST_SIZE];
        private int size;

        void add(long offset, long until, long sizeBytes, int group) {
            if (size == offsets.length) {
                offsets = Arrays.copyOf(offsets, size * 2);
                untilMs = Arrays.copyOf(untilMs, size * 2);
                bytes = Arrays.copyOf(bytes, size * 2);
                groups = Arrays.copyOf(groups, size * 2);
            }
            offsets[size] = offset;
            untilMs[size] = until;
            bytes[size] = sizeBytes;
            groups[size] = group;
            size++;
        }

        Sums sums(int row) {
            boolean isExecution = bytes[row] == EXECUTION;
            return new Sums(
                    isExecution ? 0 : 1, isExecution ? 0 : bytes[row], isExecution ? 1 : 0, untilMs[row], untilMs[row]);
        }
    }

    /** Takes a record; one that is none of the trash does not count. */
    void look(ConsumerRecord<byte[], byte[]> record) {
        Rows rows = partitions.computeIfAbsent(record.partition(), partition -> new Rows());
        if (record.value() == null) {
            rows.takenOut.add(EbbHeaders.number(record.headers(), EbbHeaders.TRASH_OFFSET, -1));
            return;
        }
        try {
            TrashKey key = TrashKey.decode(record.key());
            Deletion deletion = DeletionHeaders.read(record.headers());
            if (deletion.isOpen(nowMs)) {
                boolean isEvent = key.kind() == TrashKey.Kind.EVENT;
                long bytes =
                        isEvent ? StoredEventCodec.decodeHeader(record.value()).sizeBytes() : Rows.EXECUTION;
                rows.add(record.offset(), deletion.untilMs(), bytes, group(key, deletion));
            }
        } catch (RuntimeException e) {
            // Whatever it is, an undo would not bring it back.
            rows.takenOut.add(record.offset());
        }
    }

    private int group(TrashKey key, Deletion deletion) {
        String namespace = new StreamName(key.stream()).namespace();
        Group group = new Group(namespace, deletion.cause(), deletion.commandId(), deletion.change());
        return numbers.computeIfAbsent(group, made -> {
            groups.add(made);
            return groups.size() - 1;
        });
    }

    Contents contents() {
        Sums[] sums = new Sums[groups.size()];
        Arrays.fill(sums, Sums.NOTHING);
        for (Rows rows : partitions.values()) {
            for (int row = 0; row < rows.size; row++) {
                if (!rows.takenOut.contains(rows.offsets[row])) {
                    sums[rows.groups[row]] = sums[rows.groups[row]].plus(rows.sums(row));
                }
            }
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < sums.length; i++) {
            Group group = groups.get(i);
            if (sums[i].events() + sums[i].executions() > 0) {
                parts.add(new Part(group.namespace(), group.cause(), group.command(), group.change(), sums[i]));
            }
        }
        parts.sort(Comparator.<Part>comparingLong(part -> part.sums().bytes())
                .reversed()
                .thenComparing(Part::namespace)
                .thenComparing(Part::cause)
                .thenComparing(Part::command)
                .thenComparing(Part::change));
        int listed = Math.min(parts.size(), Contents.MOST_PARTS);
        Sums others =
                parts.subList(listed, parts.size()).stream().map(Part::sums).reduce(Sums.NOTHING, Sums::plus);
        return new Contents(parts.subList(0, listed), others, nowMs);
    }
}
