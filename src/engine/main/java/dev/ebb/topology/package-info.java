/** The Kafka Streams topology: {@link dev.ebb.topology.RetentionTopology} is the page that shows the system. */
@NullMarked
package dev.ebb.topology;

import org.jspecify.annotations.NullMarked;
