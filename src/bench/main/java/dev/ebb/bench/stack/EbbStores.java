package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.store.UsageView;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.read.EventPage;
import dev.ebb.store.read.ReadOnlyEventStore;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** Reads the events that Ebb has stored, and checks its usage against them. */
public final class EbbStores {

    private static final int PAGE = 1000;

    private EbbStores() {}

    /** @throws VoidRunException if the usage of a stream differs from its events */
    public static Contents contents(KafkaStreams streams, int partitions) {
        Contents all = Contents.NONE;
        for (int partition = 0; partition < partitions; partition++) {
            all = all.plus(contentsOf(streams, partition));
        }
        return all;
    }

    static Contents contentsOf(KafkaStreams streams, int partition) {
        Contents all = Contents.NONE;
        ReadOnlyEventStore store = of(streams, partition);
        for (StreamUsage usage : store.streams(null, "", null, Integer.MAX_VALUE)) {
            Contents listed = listed(store, usage);
            requireAgreement(usage, listed);
            all = all.plus(listed);
        }
        return all;
    }

    /** Returns the stores of a partition that this instance keeps. */
    public static ReadOnlyEventStore of(KafkaStreams streams, int partition) {
        ReadOnlyKeyValueStore<Bytes, byte[]> events = streams.store(StoreQueryParameters.fromNameAndType(
                        StoreNames.EVENTS, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                .withPartition(partition));
        return new ReadOnlyEventStore(events, UsageView.of(events));
    }

    private static Contents listed(ReadOnlyEventStore store, StreamUsage usage) {
        Contents listed = Contents.NONE;
        @Nullable String cursor = null;
        do {
            EventPage page = store.list(usage.stream(), cursor, PAGE);
            for (StoredEvent event : page.events()) {
                listed = listed.plus(Contents.of(event.event()));
            }
            cursor = page.nextCursor();
        } while (cursor != null);
        return listed;
    }

    private static void requireAgreement(StreamUsage usage, Contents listed) {
        if (usage.events() != listed.events()
                || usage.bytes() != listed.bytes()
                || usage.protectedEvents() != listed.protectedEvents()) {
            throw new VoidRunException("the usage says " + usage + ", and the stream holds " + listed);
        }
    }
}
