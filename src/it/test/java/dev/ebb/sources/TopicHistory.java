package dev.ebb.sources;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.domain.source.TombstoneHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The whole history of a topic, as its readers see it, held against the laws of sources: each tombstone of Ebb names a
 * version that was due (nothing protected goes), no version newer than that one stays deleted (F-7), and in the end each row
 * is its newest version or gone. Its times are those of the broker ({@code LogAppendTime}).
 */
final class TopicHistory {

    /** A version that a producer wrote. */
    private record Version(long offset, long number, RowKind kind) {}

    /** A time without a row whose newest version Ebb had not judged: from its tombstone to the next version. */
    private record Blink(TopicPartition partition, long tombstone, long backMs) {}

    private static final class Row {
        private final Map<Long, RowKind> kinds = new HashMap<>();
        private @Nullable Version newest;
        private @Nullable ConsumerRecord<byte[], byte[]> last;

        /** The row as a reader sees it who cannot read hostile versions, and passes over them. */
        private boolean isReadable;

        /** The tombstone that deleted a newer version than the judged one; null while the row is there. */
        private @Nullable ConsumerRecord<byte[], byte[]> overtaken;
    }

    private final RowFormat format;
    private final Map<String, Row> rows = new TreeMap<>();
    private final Map<TopicPartition, Long> read = new HashMap<>();
    private final Set<Long> seen = new HashSet<>();
    private final List<String> broken = new ArrayList<>();
    private final List<Blink> blinks = new ArrayList<>();
    private long records;
    private long tombstones;
    private long longestBlinkMs;

    TopicHistory(RowFormat format) {
        this.format = format;
    }

    /** Reads on to the present end. */
    void readOn(Consumer<byte[], byte[]> reader) {
        List<TopicPartition> partitions = reader.partitionsFor(format.topic()).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        readToEnd(reader, partitions, read, this::take);
        partitions.forEach(partition -> read.put(partition, reader.position(partition)));
    }

    /** Reads each partition from its position, or from 0 where there is none, to its present end. */
    static void readToEnd(
            Consumer<byte[], byte[]> reader,
            List<TopicPartition> partitions,
            Map<TopicPartition, Long> from,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        reader.assign(partitions);
        partitions.forEach(partition -> reader.seek(partition, from.getOrDefault(partition, 0L)));
        Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
        while (partitions.stream().anyMatch(partition -> reader.position(partition) < ends.get(partition))) {
            reader.poll(Duration.ofMillis(100)).forEach(taker);
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        records++;
        Row row = rows.computeIfAbsent(new String(record.key(), UTF_8), key -> new Row());
        String version = header(record, RowLoad.VERSION);
        if (header(record, TombstoneHeader.CAUSE.key()) != null) {
            takeTombstone(record, row);
        } else if (version == null) {
            broken.add(at(record) + " is of no producer");
        } else {
            takeVersion(record, row, Long.parseLong(version));
        }
        row.last = record;
    }

    private void takeVersion(ConsumerRecord<byte[], byte[]> record, Row row, long number) {
        RowKind kind = RowKind.valueOf(header(record, RowLoad.KIND));
        row.kinds.put(record.offset(), kind);
        if (seen.add(number)) {
            row.newest = new Version(record.offset(), number, kind);
        }
        ConsumerRecord<byte[], byte[]> overtaken = row.overtaken;
        if (overtaken != null) {
            longestBlinkMs = Math.max(longestBlinkMs, record.timestamp() - overtaken.timestamp());
            blinks.add(new Blink(
                    new TopicPartition(record.topic(), record.partition()), overtaken.offset(), record.timestamp()));
            row.overtaken = null;
        }
        row.isReadable = kind == RowKind.HOSTILE ? row.isReadable : kind != RowKind.DELETED;
    }

    private void takeTombstone(ConsumerRecord<byte[], byte[]> record, Row row) {
        tombstones++;
        row.isReadable = false;
        long judged = Long.parseLong(header(record, TombstoneHeader.JUDGED.key()));
        RowKind kind = row.kinds.get(judged);
        if (kind != RowKind.DUE) {
            broken.add(at(record) + " deletes offset " + judged + ", which is " + kind);
        }
        Version newest = row.newest;
        if (newest != null && newest.offset() > judged && newest.kind() != RowKind.DELETED && row.overtaken == null) {
            row.overtaken = record;
        }
    }

    /**
     * Returns what breaks a law now, and would not if nothing were under way; not more than some of it. Rows that are lost
     * come before those that shall go and are there still.
     */
    List<String> missing() {
        List<String> missing = new ArrayList<>(broken);
        List<String> late = new ArrayList<>();
        rows.forEach((key, row) -> {
            Version newest = row.newest;
            ConsumerRecord<byte[], byte[]> last = row.last;
            boolean isThere = last != null && last.value() != null;
            boolean stays = newest != null && newest.kind().stays();
            boolean isNewest = newest != null
                    && last != null
                    && Long.toString(newest.number()).equals(header(last, RowLoad.VERSION));
            if (isThere != stays || stays && !isNewest) {
                (stays ? missing : late)
                        .add(format.topic() + " " + key + ": newest " + newest + ", last "
                                + (last == null ? "none" : at(last) + (last.value() == null ? ", gone" : ", there")));
            }
        });
        missing.addAll(late);
        return missing.size() > 10 ? missing.subList(0, 10) : missing;
    }

    /**
     * Returns the rows that stayed gone for longer than two commits (F-7): that of the tombstone, and the first one which
     * says that Ebb has read the tombstone. The record sent again belongs to the transaction of the second, so its time is
     * not later. A row that comes back in the next transaction comes too late, whatever the clock says.
     */
    List<String> goneTooLong(SourceCommits commits) {
        List<String> late = new ArrayList<>();
        for (Blink blink : blinks) {
            Long readMs = commits.timeOfReading(blink.partition(), blink.tombstone());
            if (readMs == null || blink.backMs() > readMs) {
                late.add("%s@%d: read at %s, back at %d"
                        .formatted(blink.partition(), blink.tombstone(), readMs, blink.backMs()));
            }
        }
        return late;
    }

    /** Returns the ids of the rows that a table has whose sink passes over what it cannot read. */
    Set<String> readable() {
        Set<String> readable = new HashSet<>();
        rows.forEach((key, row) -> {
            if (row.isReadable) {
                readable.add(key);
            }
        });
        return readable;
    }

    @Override
    public String toString() {
        return "%s: %,d records, %,d rows, %,d tombstones, %,d newer versions deleted and sent again, the longest gone for %,d ms"
                .formatted(format.topic(), records, rows.size(), tombstones, blinks.size(), longestBlinkMs);
    }

    private static String at(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }
}
