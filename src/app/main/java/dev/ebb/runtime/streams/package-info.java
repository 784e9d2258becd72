/**
 * Kafka Streams as one instance runs it: settings, threads, offsets, restoration, state folders and the placement of
 * partitions.
 */
@NullMarked
package dev.ebb.runtime.streams;

import org.jspecify.annotations.NullMarked;
