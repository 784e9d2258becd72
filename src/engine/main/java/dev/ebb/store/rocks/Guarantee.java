package dev.ebb.store.rocks;

import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;

/** The processing guarantee in the settings of a Kafka Streams application. Stateless. */
public final class Guarantee {

    private Guarantee() {}

    /**
     * Returns true if the application works in transactions, so that none of its changes takes effect before a commit.
     */
    public static boolean isExactlyOnce(Map<String, Object> settings) {
        Object guarantee = settings.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
        return StreamsConfig.EXACTLY_ONCE_V2.equals(String.valueOf(guarantee));
    }
}
