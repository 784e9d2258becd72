package dev.ebb.sql;

import dev.ebb.serde.mirror.RowForm;

/** The JDBC sink of Debezium. */
class DebeziumSinkIT extends SinkTests {

    DebeziumSinkIT() {
        super("debezium", RowForm.JSON);
    }
}
