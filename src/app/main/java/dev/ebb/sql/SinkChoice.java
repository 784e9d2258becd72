package dev.ebb.sql;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * The sink that the connectors use.
 *
 * @param folder the folder of its built-in configurations
 * @param connectorClass the class of the sink in the worker
 */
record SinkChoice(String folder, String connectorClass) {

    static final String AUTO = "auto";
    static final String EBB_CLASS = "dev.ebb.sink.MirrorSinkConnector";
    private static final SinkChoice EBB = new SinkChoice("ebb", EBB_CLASS);
    private static final SinkChoice DEBEZIUM =
            new SinkChoice("debezium", "io.debezium.connector.jdbc.JdbcSinkConnector");

    /** JDBC sinks that take the same settings; they descend from one. */
    private static final List<String> OTHERS =
            List.of("io.aiven.connect.jdbc.JdbcSinkConnector", "io.confluent.connect.jdbc.JdbcSinkConnector");

    /** Returns the sink of that name, which the worker need not be asked for. */
    static SinkChoice named(String name) {
        return name.equals(DEBEZIUM.folder) ? DEBEZIUM : EBB;
    }

    /**
     * Returns the best sink of those that the worker has.
     *
     * @param isJsonSent true if the rows of events are sent as JSON, which all sinks but that of Ebb need
     * @throws IOException if Connect is away
     * @throws SqlMirrorException if the worker has no sink that could fill the tables; the message says what to do
     */
    static SinkChoice by(ConnectClient connect, boolean isJsonSent) throws IOException {
        Set<String> present = connect.plugins();
        if (present.contains(EBB_CLASS)) {
            return EBB;
        }
        SinkChoice other = present.contains(DEBEZIUM.connectorClass)
                ? DEBEZIUM
                : OTHERS.stream()
                        .filter(present::contains)
                        .findFirst()
                        .map(name -> new SinkChoice("jdbc", name))
                        .orElseThrow(() -> new SqlMirrorException("the Connect worker has no sink for SQL: add the"
                                + " folder ebb-sink to its plugin path, or a JDBC sink (Debezium's, Aiven's or"
                                + " Confluent's)"));
        if (!isJsonSent) {
            throw new SqlMirrorException("the Connect worker has no plugin ebb-sink, and " + other.connectorClass
                    + ", which it has, reads rows as JSON: add the folder ebb-sink to its plugin path, or set"
                    + " mirror.json=on");
        }
        return other;
    }
}
