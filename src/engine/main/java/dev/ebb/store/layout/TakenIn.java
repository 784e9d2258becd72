package dev.ebb.store.layout;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Progress of a task on its input, as its state remembers it. The broker forgets the offsets of a group that has
 * stopped for some days; the state does not, so it knows better where to continue and which records come again. The
 * progress is stored in the record of the {@link StateFormat}, after the part that no version changes, so that every
 * version can read that part. Not thread-safe.
 */
public final class TakenIn {

    private static final byte[] KEY_OF_USAGE =
            EventKeys.withRange(Range.USAGE, StateFormat.KEY.get()).get();

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<String, Progress> topics = new HashMap<>();
    private boolean isUnsaved;

    /** Creates a progress that knows nothing before {@link #open}. */
    public TakenIn(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Reads the progress from the state. */
    public void open() {
        topics.clear();
        isUnsaved = false;
        saved().forEach((topic, position) -> topics.put(topic, new Progress(position)));
    }

    /**
     * Notes that a record is taken in.
     *
     * @param topicId the id of the record's topic; empty if it is unknown, in which case nothing is remembered
     * @param mayRepeat true if a record may come again, as after a crash without exactly once
     * @return true if this is the first change since the last {@link #save}
     * @throws TakenInBeforeException if the record was taken in before and must not come again
     */
    public boolean took(String topic, String topicId, long offset, boolean mayRepeat) {
        if (topicId.isEmpty()) {
            return false;
        }
        Progress progress = topics.computeIfAbsent(topic, name -> new Progress(new Position(topicId, 0)));
        progress.advance(topic, topicId, offset, mayRepeat);
        boolean isFirst = !isUnsaved;
        isUnsaved = true;
        return isFirst;
    }

    /** Writes progress that is not written yet. */
    public void save() {
        if (isUnsaved) {
            isUnsaved = false;
            store.put(StateFormat.KEY, encode(StateFormat.current(), positions()));
        }
    }

    /** Returns the progress on each topic as it was last written. */
    public Map<String, Position> saved() {
        byte[] bytes = store.get(StateFormat.KEY);
        return bytes == null ? Map.of() : decode(bytes);
    }

    /** Returns true if a key of a store is that of the record that {@link #decode} reads, within its usage or without. */
    public static boolean isKey(byte[] key) {
        return Arrays.equals(key, StateFormat.KEY.get()) || Arrays.equals(key, KEY_OF_USAGE);
    }

    /** Reads the progress on each topic; empty if nothing has been taken in. */
    public static Map<String, Position> decode(byte[] format) {
        ByteReader in = new ByteReader(format);
        in.readInt();
        in.readText();
        Map<String, Position> positions = new TreeMap<>();
        long count = in.hasMore() ? in.readVarLong() : 0;
        for (long i = 0; i < count; i++) {
            positions.put(in.readText(), new Position(in.readText(), in.readLong()));
        }
        return positions;
    }

    static byte[] encode(StateFormat format, Map<String, Position> positions) {
        byte[] head = format.encode();
        if (positions.isEmpty()) {
            return head;
        }
        ByteWriter out = new ByteWriter(head.length + 64 * positions.size()).writeRaw(head);
        out.writeVarLong(positions.size());
        positions.forEach((topic, position) ->
                out.writeText(topic).writeText(position.topicId()).writeLong(position.next()));
        return out.toBytes();
    }

    private Map<String, Position> positions() {
        Map<String, Position> positions = new TreeMap<>();
        topics.forEach((topic, progress) -> positions.put(topic, new Position(progress.topicId, progress.next)));
        return positions;
    }

    /**
     * Progress on a partition of a topic.
     *
     * @param topicId the id of the topic; a topic that is created again under the same name has another id
     * @param next the offset after the last record that was taken in
     */
    public record Position(String topicId, long next) {}

    private static final class Progress {

        private String topicId;
        private long next;

        private Progress(Position position) {
            topicId = position.topicId();
            next = position.next();
        }

        private void advance(String topic, String newTopicId, long offset, boolean mayRepeat) {
            if (!topicId.equals(newTopicId)) {
                topicId = newTopicId;
                next = 0;
            }
            if (offset < next && !mayRepeat) {
                throw new TakenInBeforeException(topic, offset, next);
            }
            next = offset + 1;
        }
    }
}
