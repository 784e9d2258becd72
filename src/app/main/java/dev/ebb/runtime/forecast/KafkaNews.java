package dev.ebb.runtime.forecast;

import dev.ebb.port.NotReadyException;
import dev.ebb.port.forecast.News;
import dev.ebb.runtime.history.RecordLog;
import dev.ebb.topology.wire.Topics;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker for the ends of topics.
 *
 * @param logs opens a topic; connects
 */
public record KafkaNews(Function<String, RecordLog> logs, Topics topics) implements News {

    @Override
    public Ends ends() {
        return new Ends(end(topics.audit()), end(topics.reports()), end(topics.rejected()), end(topics.events()));
    }

    private @Nullable Long end(String topic) {
        try (RecordLog log = logs.apply(topic)) {
            return log.ends().values().stream().mapToLong(Long::longValue).sum();
        } catch (KafkaException | NotReadyException e) {
            return null;
        }
    }
}
