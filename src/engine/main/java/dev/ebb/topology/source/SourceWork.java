package dev.ebb.topology.source;

import dev.ebb.domain.source.SourceMapping;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.wire.Topics;

/**
 * All that the tasks of one source need; its parts are thread-safe.
 *
 * @param mapping the source, and the reader of its records
 * @param topicId the id of the topic of the source
 * @param topics the topics of Ebb
 * @param writer writes the events
 * @param limits limits on the size of records
 * @param fetch finds records that were overtaken
 * @param observer is told of them
 */
public record SourceWork(
        SourceMapping mapping,
        String topicId,
        Topics topics,
        RecordWriter writer,
        RecordLimits limits,
        RecordFetch fetch,
        SourceObserver observer) {}
