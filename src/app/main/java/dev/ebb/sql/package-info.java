/** The SQL mirror: tables, partitions, and the sinks of Kafka Connect that fill them. */
@NullMarked
package dev.ebb.sql;

import org.jspecify.annotations.NullMarked;
