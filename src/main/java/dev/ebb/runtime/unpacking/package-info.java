/**
 * How the records of a batch are unpacked in bounded memory. Kafka's consumer lays out a record whole before anybody is asked,
 * and the limits of a broker hold for what is compressed: a hundred kilobytes may be gigabytes.
 */
@NullMarked
package dev.ebb.runtime.unpacking;

import org.jspecify.annotations.NullMarked;
