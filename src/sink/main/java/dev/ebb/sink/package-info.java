/** A sink of Kafka Connect that writes the rows of the mirror into PostgreSQL, each exactly once. */
@NullMarked
package dev.ebb.sink;

import org.jspecify.annotations.NullMarked;
