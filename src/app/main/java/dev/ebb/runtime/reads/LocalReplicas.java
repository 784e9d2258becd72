package dev.ebb.runtime.reads;

import dev.ebb.port.EventQueries;
import dev.ebb.port.Replicas;
import dev.ebb.store.layout.StoreNames;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas on this instance of partitions that other instances keep.
 *
 * @param events reads the copies
 * @param lags asks the broker for the lag of the stores, by store name and partition
 */
public record LocalReplicas(EventQueries events, Supplier<Map<String, Map<Integer, Long>>> lags) implements Replicas {

    private static final Logger LOG = LoggerFactory.getLogger(LocalReplicas.class);
    private static final List<String> STORES = List.of(StoreNames.EVENTS, StoreNames.USAGE);

    @Override
    public OptionalLong lag(int partition) {
        try {
            Map<String, Map<Integer, Long>> all = lags.get();
            List<Long> known = STORES.stream()
                    .map(store -> all.getOrDefault(store, Map.of()).get(partition))
                    .toList();
            return known.contains(null)
                    ? OptionalLong.empty()
                    : OptionalLong.of(known.stream().mapToLong(Long::longValue).sum());
        } catch (KafkaException | IllegalStateException e) {
            LOG.atWarn().addKeyValue("problem", e.getMessage()).log("it is not known how far a copy is behind");
            return OptionalLong.empty();
        }
    }
}
