/** Names of topics, nodes and headers, and the messages that partitions send one another. */
@NullMarked
package dev.ebb.topology.wire;

import org.jspecify.annotations.NullMarked;
