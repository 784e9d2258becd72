package dev.ebb.sql;

import java.util.Map;

/**
 * A connector in its intended form. Prints no settings, since one of them is a password.
 *
 * @param name the name in Connect
 * @param settings all settings, as texts
 */
record ConnectorConfig(String name, Map<String, String> settings) {

    ConnectorConfig {
        settings = Map.copyOf(settings);
    }

    /** Returns the topic that the connector reads. */
    String topic() {
        return settings.getOrDefault("topics", "");
    }

    /** Returns the group under which Connect commits the connector's offsets. */
    String group() {
        return "connect-" + name;
    }

    @Override
    public String toString() {
        return "ConnectorConfig[" + name + "]";
    }
}
