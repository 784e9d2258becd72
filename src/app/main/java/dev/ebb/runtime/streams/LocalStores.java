package dev.ebb.runtime.streams;

import dev.ebb.port.NotReadyException;
import dev.ebb.store.UsageView;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.read.ReadOnlyEventStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The stores that are on this instance while it runs. Thread-safe.
 *
 * @param absence returns the reason why the stores cannot be queried; null if they can
 */
record LocalStores(KafkaStreams streams, Supplier<@Nullable String> absence) {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** @param isStale true to accept a store that may lag behind */
    ReadOnlyEventStore of(int partition, boolean isStale) {
        ReadOnlyKeyValueStore<Bytes, byte[]> events = events(partition, isStale);
        return new ReadOnlyEventStore(events, UsageView.of(events));
    }

    /**
     * Returns the stores of any partition that are here, even if another instance keeps the partition or it is being
     * restored.
     */
    PartitionStores copies() {
        return new PartitionStores() {
            @Override
            public ReadOnlyEventStore of(int partition) {
                return LocalStores.this.of(partition, true);
            }

            @Override
            public RuntimeException missing(int partition) {
                NotReadyException notRunning = notRunning();
                return notRunning == null ? PartitionStores.super.missing(partition) : notRunning;
            }
        };
    }

    /** Returns the number of records by which the stores here lag behind, by store and partition; asks the broker. */
    Map<String, Map<Integer, Long>> lags() {
        Map<String, Map<Integer, Long>> records = new HashMap<>();
        streams.allLocalStorePartitionLags().forEach((store, lags) -> {
            Map<Integer, Long> ofStore = records.computeIfAbsent(store, name -> new HashMap<>());
            lags.forEach((partition, lag) -> ofStore.put(partition, lag.offsetLag()));
        });
        return records;
    }

    /** Returns the present answer to a query; null if the streams can be queried. */
    @Nullable
    NotReadyException notRunning() {
        String reason = absence.get();
        return reason == null ? null : new NotReadyException(reason, RETRY_AFTER);
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> events(int partition, boolean isStale) {
        var query = StoreQueryParameters.fromNameAndType(
                        StoreNames.EVENTS, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                .withPartition(partition);
        try {
            return streams.store(isStale ? query.enableStaleStores() : query);
        } catch (IllegalStateException e) {
            // Kafka Streams has ended, or is about to.
            throw new NotReadyException(
                    Objects.requireNonNullElse(absence.get(), "this instance is away"), RETRY_AFTER);
        }
    }
}
