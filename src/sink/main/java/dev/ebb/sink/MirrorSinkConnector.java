package dev.ebb.sink;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/**
 * Writes the records of a mirror topic into the table that mirrors it. Each task has one connection. Its offsets are in
 * the database and move in the transaction of the rows, so that each record counts once, whatever fails.
 */
public final class MirrorSinkConnector extends SinkConnector {

    /** The version of the plugin in Connect: that of the jar. */
    static final String VERSION =
            Objects.requireNonNullElse(MirrorSinkConnector.class.getPackage().getImplementationVersion(), "unknown");

    private Map<String, String> settings = Map.of();

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public void start(Map<String, String> properties) {
        settings = Map.copyOf(properties);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return MirrorSinkTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return Collections.nCopies(maxTasks, settings);
    }

    @Override
    public void stop() {
        // The tasks hold the connections.
    }

    @Override
    public ConfigDef config() {
        return SinkSettings.DEFINITION;
    }
}
