/**
 * Unpacking of the records of a batch in bounded memory. Kafka's consumer lays out a record whole before any code is
 * asked, and the limits of a broker hold for compressed bytes: a hundred kilobytes may be gigabytes.
 */
@NullMarked
package dev.ebb.runtime.unpacking;

import org.jspecify.annotations.NullMarked;
