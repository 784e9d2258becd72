/** Streams of one partition in memory: segments, executions, counts, heads, due times and places in slices. */
@NullMarked
package dev.ebb.store.state;

import org.jspecify.annotations.NullMarked;
