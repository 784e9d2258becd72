/** The state of one partition: events and usage in RocksDB, their key ranges, and what is remembered of them in memory. */
@NullMarked
package dev.ebb.store;

import org.jspecify.annotations.NullMarked;
