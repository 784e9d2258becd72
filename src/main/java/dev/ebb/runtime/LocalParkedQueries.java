package dev.ebb.runtime;

import dev.ebb.api.ParkedQueries;
import dev.ebb.api.ParkedStreamView;
import dev.ebb.domain.event.Wait;
import dev.ebb.serde.RecordReader;
import dev.ebb.store.ParkedStream;
import dev.ebb.store.ReadOnlyEventStore.Parked;
import java.time.Instant;
import java.util.List;

/** Reads the stores of this instance for what waits, and says why as it is known now. */
final class LocalParkedQueries implements ParkedQueries {

    private final PartitionStores stores;
    private final RecordReader reader;

    LocalParkedQueries(PartitionStores stores, RecordReader reader) {
        this.stores = stores;
        this.reader = reader;
    }

    @Override
    public List<ParkedStreamView> parked(int partition, int limit) {
        return stores.read(partition, store -> store.parked(limit)).stream()
                .map(parked -> view(partition, parked))
                .toList();
    }

    private ParkedStreamView view(int partition, Parked parked) {
        ParkedStream stream = parked.stream();
        Wait now = reader.stillWaits(stream.waitsFor());
        Wait wait = now == null ? stream.waitsFor() : now;
        return new ParkedStreamView(
                partition,
                stream.key(),
                stream.records(),
                stream.bytes(),
                Instant.ofEpochMilli(stream.sinceMs()),
                wait.what(),
                ParkedStreamView.kindOf(wait),
                wait.problem(),
                parked.first() == null ? null : parked.first().toString());
    }
}
