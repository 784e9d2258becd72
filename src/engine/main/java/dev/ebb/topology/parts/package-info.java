/** Parts and settings from which the topology is built. */
@NullMarked
package dev.ebb.topology.parts;

import org.jspecify.annotations.NullMarked;
