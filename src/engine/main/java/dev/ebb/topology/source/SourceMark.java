package dev.ebb.topology.source;

import dev.ebb.domain.Snapshot;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A record among the events that says something about records of a log (F-8). It has a place in the order of the events:
 * all that were sent before it are taken in before it.
 *
 * @param step the meaning
 * @param id the id of a question; empty for the others
 * @param source the name of the source
 * @param topicId the id that Kafka gave to its topic
 * @param offsets an offset for each partition of the topic
 * @param keepMs for a question: the time for which a rejected record is kept, in milliseconds
 */
public record SourceMark(Step step, String id, String source, String topicId, Map<Integer, Long> offsets, long keepMs) {

    /** Key of a mark, which is none of a stream. The array must not be changed. */
    @SuppressWarnings("MutablePublicArray")
    public static final byte[] KEY = {};

    private static final String HEADER = "ebb-source-mark";
    private static final List<String> REQUIRED = List.of("/step", "/id", "/source", "/topicId", "/offsets");

    /** Meanings of a mark. */
    public enum Step {
        /** Asks which records must stay; the records before the offsets have been read. */
        ASK,
        /** The records at these offsets were rejected. */
        REJECTED,
        /** The records from these offsets on were passed over by a reset, or by the place at which reading began. */
        PASSED_OVER,
        /** The records from these offsets on will be read, whether they were read before or not. */
        AGAIN
    }

    public SourceMark {
        offsets = Snapshot.of(offsets);
    }

    /** Returns a mark that asks nothing. */
    public static SourceMark of(Step step, String source, String topicId, Map<Integer, Long> offsets) {
        return new SourceMark(step, "", source, topicId, offsets, 0);
    }

    /** Returns the mark that the record is; null if it is none. */
    public static @Nullable SourceMark of(InputRecord record) {
        String text = record.value() == null ? EbbHeaders.text(record.headers(), HEADER) : null;
        try {
            return text == null ? null : JsonState.readSent(text, SourceMark.class, REQUIRED);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the headers of the record, which has no value. */
    public Headers headers() {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, HEADER, JsonState.write(this));
        return headers;
    }
}
