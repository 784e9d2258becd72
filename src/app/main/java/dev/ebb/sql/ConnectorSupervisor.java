package dev.ebb.sql;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the connectors running with the settings of their files: creates and updates them, looks at each of them, and
 * restarts failed ones at growing intervals. An absent Connect is a state, not an error. {@link #statuses()} may be
 * called from any thread, all else from one.
 */
final class ConnectorSupervisor {

    /** Part of the refusal of a worker that rebalances. */
    private static final String REBALANCE = "rebalance";

    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectorSupervisor.class);
    private static final Duration CHECK_SETTINGS_EVERY = Duration.ofMinutes(1);

    /** Time that a connector has to begin; a worker that starts or rebalances takes some seconds. */
    private static final Duration LONGEST_START = Duration.ofMinutes(1);

    private final List<ConnectorConfig> configs;
    private final ConnectClient connect;
    private final Clock clock;
    private final Map<String, RestartBackOff> backOffs;
    private final Map<String, Instant> checked = new HashMap<>();
    private final Map<String, Instant> idleSince = new HashMap<>();
    private volatile List<ConnectorStatus> statuses;
    private boolean isAway;

    ConnectorSupervisor(List<ConnectorConfig> configs, ConnectClient connect, Clock clock) {
        this.configs = List.copyOf(configs);
        this.connect = connect;
        this.clock = clock;
        this.backOffs = configs.stream().collect(Collectors.toMap(ConnectorConfig::name, c -> new RestartBackOff()));
        this.statuses = configs.stream()
                .map(config -> ConnectorStatus.unasked(config.name()))
                .toList();
    }

    /** Returns the statuses of the connectors at the last look, in the order of their files. */
    List<ConnectorStatus> statuses() {
        return statuses;
    }

    /**
     * Looks at every connector and does whatever it needs.
     *
     * @param mayCreate true if the tables exist, so that a connector could work
     */
    void look(boolean mayCreate) {
        List<ConnectorStatus> before = statuses;
        List<ConnectorStatus> now = configs.stream()
                .map(config -> orStarting(look(config, mayCreate)))
                .toList();
        statuses = now;
        log(before, now);
    }

    /** Logs what has changed; if Connect itself is away, that alone, and once with its address (O-28). */
    private void log(List<ConnectorStatus> before, List<ConnectorStatus> now) {
        boolean wasAway = isAway;
        isAway = !now.isEmpty() && now.stream().allMatch(ConnectorSupervisor::isUnreachable);
        if (isAway && !wasAway) {
            LOGGER.atWarn()
                    .addKeyValue("problem", now.get(0).problem().orElse(""))
                    .log("Kafka Connect at {} is away", connect.addresses());
        } else if (wasAway && !isAway) {
            LOGGER.atInfo().log("Kafka Connect at {} is back", connect.addresses());
        }
        for (int i = 0; i < now.size() && !isAway; i++) {
            if (!wasAway || isTrouble(now.get(i))) {
                logChange(before.get(i), now.get(i));
            }
        }
    }

    private ConnectorStatus look(ConnectorConfig config, boolean mayCreate) {
        RestartBackOff backOff = backOff(config);
        try {
            if (mayCreate) {
                keepSettings(config);
            }
            Optional<JsonNode> answer = connect.status(config.name());
            if (answer.isEmpty()) {
                checked.remove(config.name());
                return new ConnectorStatus(
                        config.name(), ConnectorStatus.MISSING, List.of(), Optional.empty(), backOff.restarts());
            }
            return keepRunning(StatusAnswer.read(config.name(), answer.get()), backOff);
        } catch (IOException e) {
            return unreachable(config, e, backOff);
        }
    }

    private ConnectorStatus orStarting(ConnectorStatus status) {
        if (!status.isIdle()) {
            idleSince.remove(status.name());
            return status;
        }
        Instant now = clock.instant();
        Instant since = idleSince.computeIfAbsent(status.name(), name -> now);
        return now.isBefore(since.plus(LONGEST_START)) ? status.starting() : status;
    }

    private ConnectorStatus keepRunning(ConnectorStatus status, RestartBackOff backOff) throws IOException {
        Instant now = clock.instant();
        if (status.isRunning()) {
            backOff.running(now);
        } else if (status.isFailed() && backOff.failed(now)) {
            backOff.restarted(now);
            LOGGER.atWarn()
                    .addKeyValue("connector", status.name())
                    .addKeyValue("problem", status.problem().orElse(""))
                    .addKeyValue("restarts", backOff.restarts())
                    .log("restarting failed tasks");
            connect.restartFailed(status.name());
        }
        return status.withRestarts(backOff.restarts());
    }

    /** Sends the settings only if they differ, since every new configuration restarts the tasks. */
    private void keepSettings(ConnectorConfig config) throws IOException {
        Instant now = clock.instant();
        Instant last = checked.get(config.name());
        if (last != null && now.isBefore(last.plus(CHECK_SETTINGS_EVERY))) {
            return;
        }
        Map<String, String> wanted = new HashMap<>(config.settings());
        wanted.put("name", config.name());
        Optional<Map<String, String>> present = connect.settings(config.name());
        if (present.isEmpty() || !present.get().equals(wanted)) {
            connect.put(config);
            LOGGER.atInfo()
                    .addKeyValue("connector", config.name())
                    .log(present.isEmpty() ? "connector created" : "connector updated");
        }
        checked.put(config.name(), now);
    }

    private ConnectorStatus unreachable(ConnectorConfig config, IOException e, RestartBackOff backOff) {
        checked.remove(config.name());
        String problem = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        // A worker that gives its tasks out anew refuses questions for a moment, as after each new connector.
        return new ConnectorStatus(
                config.name(),
                problem.contains(REBALANCE) ? ConnectorStatus.UNASSIGNED : ConnectorStatus.UNREACHABLE,
                List.of(),
                Optional.of(problem),
                backOff.restarts());
    }

    private RestartBackOff backOff(ConnectorConfig config) {
        return Objects.requireNonNull(backOffs.get(config.name()));
    }

    private static void logChange(ConnectorStatus before, ConnectorStatus now) {
        if (!before.state().equals(now.state())) {
            (isTrouble(now) ? LOGGER.atWarn() : LOGGER.atInfo())
                    .addKeyValue("connector", now.name())
                    .addKeyValue("state", now.state())
                    .addKeyValue("problem", now.problem().orElse(""))
                    .log("connector state");
        }
    }

    private static boolean isTrouble(ConnectorStatus status) {
        return status.isFailed() || isUnreachable(status);
    }

    private static boolean isUnreachable(ConnectorStatus status) {
        return status.state().equals(ConnectorStatus.UNREACHABLE);
    }
}
