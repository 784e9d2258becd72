package dev.ebb.topology.policy;

import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.wire.Nodes;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Processor that feeds the view from the topic of accepted policies, on the global thread of the instance. */
public final class AcceptedPoliciesProcessor implements Processor<byte[], byte[], Void, Void> {

    private final PolicyViews views;
    private final AcceptedSources sources;
    private @Nullable ProcessorContext<Void, Void> context;
    private @Nullable KeyValueStore<byte[], byte[]> store;

    public AcceptedPoliciesProcessor(PolicyViews views, AcceptedSources sources) {
        this.views = views;
        this.sources = sources;
    }

    @Override
    public void init(ProcessorContext<Void, Void> newContext) {
        context = newContext;
        store = newContext.getStateStore(Nodes.ACCEPTED_STORE);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (context == null || store == null || record.key() == null) {
            return;
        }
        store.put(record.key(), record.value());
        long offset = context.recordMetadata().orElseThrow().offset();
        String key = new String(record.key(), StandardCharsets.UTF_8);
        sources.accept(key, record.value(), offset);
        views.accept(new Accepted(key, record.value(), null, offset, record.timestamp(), record.headers()));
    }
}
