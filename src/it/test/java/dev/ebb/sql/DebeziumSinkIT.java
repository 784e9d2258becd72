package dev.ebb.sql;

/** The JDBC sink of Debezium, which reads the rows of events as JSON. */
class DebeziumSinkIT extends SinkTests {

    DebeziumSinkIT() {
        super("debezium", false);
    }
}
