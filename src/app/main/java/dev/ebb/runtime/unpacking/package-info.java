/**
 * Unpacking of the records of a batch in bounded memory. Kafka's consumer lays out a record whole before any other code
 * is called, and the limits of a broker apply to compressed bytes: a hundred kilobytes may hold gigabytes.
 */
@NullMarked
package dev.ebb.runtime.unpacking;

import org.jspecify.annotations.NullMarked;
