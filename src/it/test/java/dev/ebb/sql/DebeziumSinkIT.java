package dev.ebb.sql;

/** The JDBC sink of Debezium. */
class DebeziumSinkIT extends SinkTests {

    DebeziumSinkIT() {
        super("debezium");
    }
}
