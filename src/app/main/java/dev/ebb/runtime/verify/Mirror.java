package dev.ebb.runtime.verify;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.port.MirrorCheck.NoMirrorException;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusView.MirrorView;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.sql.ConnectorStatus;
import dev.ebb.sql.MirrorSettings;
import dev.ebb.sql.SqlMirror;
import dev.ebb.sql.SqlMirrorException;
import dev.ebb.sql.SqlSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The way to SQL, if the settings name a database. Thread-safe. */
public final class Mirror implements AutoCloseable {

    private final Optional<MirrorSettings> settings;
    private volatile Optional<SqlMirror> sql = Optional.empty();

    public Mirror(EbbConfig config, KafkaClients clients) {
        settings = config.get(Settings.SQL_URL).map(url -> settings(config, url, clients.properties()));
    }

    /** Starts to look after tables and sinks in the background; does nothing if there is no mirror. */
    public void start() {
        sql = settings.map(SqlMirror::start);
    }

    /**
     * Returns the number of mirror records that the sinks have not taken, by connector, without connectors whose number
     * is unknown.
     */
    public Map<String, Long> lags() {
        return sql.map(SqlMirror::lags).orElse(Map.of());
    }

    /** Returns the number of rows that the database refuses, by connector; 0 for connectors without any. */
    public Map<String, Long> refused() {
        return sql.map(mirror -> {
                    Map<String, Long> counts = new HashMap<>();
                    mirror.connectors().forEach(connector -> counts.put(connector.name(), 0L));
                    counts.putAll(mirror.refusedRows());
                    return counts;
                })
                .orElse(Map.of());
    }

    /**
     * Returns the mirror.
     *
     * @throws NoMirrorException if the settings name no database
     * @throws NotReadyException if the mirror has not been started yet
     */
    public SqlMirror require() {
        if (settings.isEmpty()) {
            throw new NoMirrorException();
        }
        return sql.orElseThrow(
                () -> new NotReadyException("the SQL mirror has not been started yet", Duration.ofSeconds(1)));
    }

    /**
     * Returns the offset before which the sink has read a log of events, for each of these partitions; no limit if
     * there is no mirror, and nothing for a partition of which this is not known.
     */
    public Map<TopicPartition, Long> readBefore(Set<TopicPartition> logs) {
        if (settings.isEmpty()) {
            return logs.stream().collect(Collectors.toMap(log -> log, log -> Long.MAX_VALUE));
        }
        try {
            return sql.map(mirror -> mirror.position().readBefore(logs)).orElse(Map.of());
        } catch (SqlMirrorException e) {
            return Map.of();
        }
    }

    /** Returns the state of each connector. */
    public Map<String, String> states() {
        return connectors().stream().collect(Collectors.toMap(ConnectorStatus::name, ConnectorStatus::state));
    }

    /**
     * Returns the view of all connectors together, with a bad state before a good one; null if the mirror has not been
     * started.
     */
    @Nullable
    public MirrorView view() {
        return sql.map(this::view).orElse(null);
    }

    @Override
    public void close() {
        sql.ifPresent(SqlMirror::close);
    }

    private MirrorView view(SqlMirror mirror) {
        List<ConnectorStatus> connectors = mirror.connectors();
        Map<String, Long> lags = mirror.lags();
        long refused = mirror.refusedRows().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        boolean isLagKnown = !connectors.isEmpty() && connectors.size() == lags.size();
        return new MirrorView(
                state(connectors),
                isLagKnown ? lags.values().stream().mapToLong(Long::longValue).sum() : null,
                detail(mirror, connectors),
                refused,
                refused == 0 ? null : mirror.reasonOfRefusal(),
                connectors.stream().mapToLong(ConnectorStatus::restarts).sum());
    }

    private static String state(List<ConnectorStatus> connectors) {
        return connectors.stream()
                .map(ConnectorStatus::state)
                .filter(state -> !state.equals(ConnectorStatus.RUNNING))
                .findFirst()
                .orElse(connectors.isEmpty() ? "NOT WATCHED" : ConnectorStatus.RUNNING);
    }

    private static @Nullable String detail(SqlMirror mirror, List<ConnectorStatus> connectors) {
        Stream<String> ofConnectors = connectors.stream()
                .map(connector -> connector
                        .problem()
                        .map(text -> connector.name() + ": " + text)
                        .orElse(null))
                .filter(Objects::nonNull);
        String detail =
                Stream.concat(mirror.tablesProblem().stream(), ofConnectors).collect(Collectors.joining("; "));
        return detail.isEmpty() ? null : detail;
    }

    private List<ConnectorStatus> connectors() {
        return sql.map(SqlMirror::connectors).orElse(List.of());
    }

    private static MirrorSettings settings(EbbConfig config, String url, Map<String, Object> kafkaProperties) {
        return new MirrorSettings(
                config.get(Settings.APPLICATION_ID),
                config.get(Settings.TOPICS_PREFIX),
                new SqlSettings(
                        url,
                        config.get(Settings.SQL_USER),
                        config.get(Settings.SQL_PASSWORD),
                        config.get(Settings.SQL_PASSWORD_FILE)),
                ConnectSettings.access(config),
                config.get(Settings.CONNECT_SINK),
                config.get(Settings.MIRROR_JSON).equals("on"),
                ConfiguredTopology.eventLog(config),
                config.get(Settings.CONNECT_CONFIG_DIR),
                kafkaProperties);
    }
}
