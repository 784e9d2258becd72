package dev.ebb.sink;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;

/** Settings of the sink, without those of Connect itself. */
final class SinkSettings extends AbstractConfig {

    private static final String URL = "connection.url";
    private static final String USER = "connection.username";
    private static final String PASSWORD = "connection.password";
    private static final String TABLE = "table";
    private static final String LOG = "log.enabled";
    private static final String DELETE = "delete.enabled";
    private static final String RETRY = "retry.max.ms";
    private static final String NAME = "name";

    static final ConfigDef DEFINITION = new ConfigDef()
            .define(URL, ConfigDef.Type.STRING, ConfigDef.NO_DEFAULT_VALUE, new NonEmptyString(), Importance.HIGH, """
                JDBC address of the PostgreSQL database, jdbc:postgresql://host:port/name.""")
            .define(USER, ConfigDef.Type.STRING, ConfigDef.NO_DEFAULT_VALUE, Importance.HIGH, """
                User of the database; may write the table, mirror_position and mirror_refused.""")
            .define(PASSWORD, ConfigDef.Type.PASSWORD, "", Importance.HIGH, "Password of the user.")
            .define(
                    TABLE,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new NonEmptyString(),
                    Importance.HIGH,
                    """
                Table to write. It must be there, and have a primary key.""")
            .define(LOG, ConfigDef.Type.BOOLEAN, false, Importance.MEDIUM, """
                True: the topic is the log of the events. False: its keys and rows are JSON.""")
            .define(DELETE, ConfigDef.Type.BOOLEAN, true, Importance.MEDIUM, """
                True: a tombstone deletes the row of its key. False: tombstones are passed over.""")
            .define(RETRY, ConfigDef.Type.LONG, 120_000L, Range.atLeast(0), Importance.LOW, """
                Time, in milliseconds, to wait for a database that is away before the task fails.""");

    /** Seconds without an answer after which the database counts as away. */
    private static final String SOCKET_TIMEOUT = "60";

    private static final String CONNECT_TIMEOUT = "10";

    private final String connector;

    SinkSettings(Map<String, String> properties) {
        super(DEFINITION, properties);
        connector = properties.getOrDefault(NAME, "");
    }

    /** Returns the name of the connector, under which its offsets are kept. */
    String connector() {
        return connector;
    }

    String url() {
        return getString(URL);
    }

    String table() {
        return getString(TABLE);
    }

    /** Returns true if the topic is the log of the events. */
    boolean isOfLog() {
        return getBoolean(LOG);
    }

    boolean deletes() {
        return getBoolean(DELETE);
    }

    Duration retryLimit() {
        return Duration.ofMillis(getLong(RETRY));
    }

    /**
     * Returns the properties of the driver. Errors of the server come without their detail, which may contain a user's
     * data.
     */
    Properties driver() {
        Properties properties = new Properties();
        properties.put("user", getString(USER));
        properties.put("password", getPassword(PASSWORD).value());
        properties.put("ApplicationName", "ebb-mirror");
        properties.put("logServerErrorDetail", "false");
        properties.put("connectTimeout", CONNECT_TIMEOUT);
        properties.put("loginTimeout", CONNECT_TIMEOUT);
        properties.put("socketTimeout", SOCKET_TIMEOUT);
        properties.put("tcpKeepAlive", "true");
        return properties;
    }
}
