package dev.ebb.runtime.reads;

import dev.ebb.port.EventQueries;
import dev.ebb.port.Replicas;
import dev.ebb.store.layout.StoreNames;
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

    @Override
    public OptionalLong lag(int partition) {
        try {
            Long lag = lags.get().getOrDefault(StoreNames.EVENTS, Map.of()).get(partition);
            return lag == null ? OptionalLong.empty() : OptionalLong.of(lag);
        } catch (KafkaException | IllegalStateException e) {
            LOG.atWarn().addKeyValue("problem", e.getMessage()).log("it is not known how far a copy is behind");
            return OptionalLong.empty();
        }
    }
}
