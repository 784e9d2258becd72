package dev.ebb.sql;

import java.util.Map;

/**
 * A connector as it should be. Prints no settings, since one of them is a password.
 *
 * @param name its name in Connect
 * @param settings all of its settings, as texts
 */
record ConnectorConfig(String name, Map<String, String> settings) {

    ConnectorConfig {
        settings = Map.copyOf(settings);
    }

    /** The topic that it reads. */
    String topic() {
        return settings.getOrDefault("topics", "");
    }

    /** The group under which Connect commits what it has read. */
    String group() {
        return "connect-" + name;
    }

    @Override
    public String toString() {
        return "ConnectorConfig[" + name + "]";
    }
}
