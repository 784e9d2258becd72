package dev.ebb.topology.source;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.Rejects;
import dev.ebb.topology.wire.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Task of one partition of a source. */
final class SourceProcessor implements Processor<byte[], byte[], Addressed, byte[]>, SourceIntake.Output {

    private final SourceWork work;
    private final Source source;
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable SourceIntake intake;
    private @Nullable InputRecord current;
    private long nowMs;

    SourceProcessor(SourceWork work) {
        this.work = work;
        this.source = work.mapping().source();
    }

    @Override
    public void init(ProcessorContext<Addressed, byte[]> newContext) {
        context = newContext;
        TableMemory memory = source.isTable() ? new TableMemory(newContext.getStateStore(TableMemory.STORE)) : null;
        intake = new SourceIntake(work.mapping(), work.topicId(), memory, this);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (intake == null || context == null) {
            throw new IllegalStateException("not initialized");
        }
        nowMs = context.currentSystemTimeMs();
        current = InputRecord.of(record, context.recordMetadata().orElseThrow());
        intake.take(read(current), nowMs);
    }

    private static SourceRecord read(InputRecord input) {
        List<SourceRecord.Header> headers = new ArrayList<>();
        for (Header header : input.headers()) {
            headers.add(new SourceRecord.Header(header.key(), header.value()));
        }
        return new SourceRecord(
                input.topic(),
                input.partition(),
                input.offset(),
                EbbHeaders.number(input.headers(), EbbHeaders.BAD_TIMESTAMP, input.timestampMs()),
                input.key(),
                input.value(),
                headers);
    }

    @Override
    public void event(Event event) {
        byte[] value = work.writer().event(event);
        Rejection tooBig = work.limits().problemOfEvent("the event of the record", value.length);
        if (tooBig != null) {
            observe(tooBig);
            reject(tooBig);
            return;
        }
        byte[] key = event.stream().value().getBytes(StandardCharsets.UTF_8);
        forward(SourceTopology.EVENTS_SINK, key, partition(event), value, headers(event));
    }

    /** The place tells the record of a log that will be cut, also where its event cannot be read. */
    private Headers headers(Event event) {
        Headers headers = new RecordHeaders();
        String place = event.metadata().get(SourcePlace.METADATA);
        if (source.target().kind() == SourceTarget.Kind.TRUNCATE && place != null) {
            EbbHeaders.set(headers, SourcePlace.METADATA, place);
        }
        return headers;
    }

    private int partition(Event event) {
        return StreamPartition.of(event.stream(), work.topics().partitions());
    }

    @Override
    public void gone(SourceGone gone) {
        int partition = StreamPartition.of(gone.stream(), work.topics().partitions());
        forward(SourceTopology.EVENTS_SINK, gone.key(), partition, null, gone.headers());
    }

    @Override
    public void reject(SourceRecord record, Rejection rejection) {
        observe(rejection);
        reject(rejection);
    }

    private void observe(Rejection rejection) {
        work.observer().rejected(source.name(), rejection.reason(), rejection.detail());
    }

    /** Rejects the record at hand, with the headers that it has on its topic. */
    private void reject(Rejection rejection) {
        if (context != null && current != null) {
            Record<Addressed, byte[]> rejected = Rejects.of(current, rejection, current.partition(), work.limits());
            context.forward(rejected, SourceTopology.REJECTED_SINK);
            if (!source.isTable()) {
                SourceMark mark = SourceMark.of(
                        SourceMark.Step.REJECTED,
                        source.name(),
                        work.topicId(),
                        Map.of(current.partition(), current.offset()));
                forward(SourceTopology.EVENTS_SINK, SourceMark.KEY, current.partition(), null, mark.headers());
            }
        }
    }

    private void forward(String sink, byte[] key, int partition, byte @Nullable [] value, Headers headers) {
        if (context != null) {
            context.forward(new Record<>(new Addressed(key, partition), value, nowMs, headers), sink);
        }
    }

    @Override
    public SourceIntake.@Nullable Found find(SourceRecord cause, long offset) {
        RecordFetch.Found found = work.fetch().find(cause.topic(), cause.partition(), offset);
        if (found == null) {
            work.observer().lost(source.name(), cause.topic() + "-" + cause.partition() + "@" + offset);
        }
        return found == null ? null : new SourceIntake.Found(read(found.record()), found.keepsTime());
    }

    @Override
    public void sendAgain(SourceRecord record) {
        Headers headers = new RecordHeaders();
        record.headers().forEach(header -> headers.add(header.name(), header.value()));
        if (context != null) {
            Addressed key = new Addressed(record.key(), record.partition());
            long timestampMs = Math.max(0, record.timestampMs());
            context.forward(new Record<>(key, record.value(), timestampMs, headers), SourceTopology.AGAIN_SINK);
            work.observer().overtaken(source.name());
        }
    }
}
