/** Failures confined to one record, one stream or one partition, and the mending of figures. */
@NullMarked
package dev.ebb.topology.fault;

import org.jspecify.annotations.NullMarked;
