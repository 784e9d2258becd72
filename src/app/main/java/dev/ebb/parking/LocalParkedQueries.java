package dev.ebb.parking;

import dev.ebb.domain.event.Wait;
import dev.ebb.port.ParkedQueries;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.store.parking.ParkedStream;
import dev.ebb.store.read.ReadOnlyEventStore.Parked;
import java.time.Instant;
import java.util.List;

/** Reads waiting records from the stores of this instance, with the reason as it is known now. */
public record LocalParkedQueries(PartitionStores stores, RecordReader reader) implements ParkedQueries {

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
