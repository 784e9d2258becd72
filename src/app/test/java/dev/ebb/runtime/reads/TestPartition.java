package dev.ebb.runtime.reads;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.EventStore;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.rocks.InMemoryStores;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** The stores of a partition, in memory. */
record TestPartition(KeyValueStore<Bytes, byte[]> events, KeyValueStore<Bytes, byte[]> usage, EventStore store) {

    static TestPartition open(PolicySet policies) {
        KeyValueStore<Bytes, byte[]> events = InMemoryStores.open("events", EventStore.indexes());
        KeyValueStore<Bytes, byte[]> usage =
                Stores.inMemoryKeyValueStore("usage").get();
        EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
        store.open(policies);
        return new TestPartition(events, usage, store);
    }

    void put(Event event, long nowMs, PolicySet policies) {
        store.put(store.prepare(event, nowMs, nowMs, policies), policies);
    }

    ReadOnlyEventStore reader() {
        return new ReadOnlyEventStore(events, usage);
    }
}
