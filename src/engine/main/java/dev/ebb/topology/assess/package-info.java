/** Assessment of a change: how many events it would delete at once or soon. */
@NullMarked
package dev.ebb.topology.assess;

import org.jspecify.annotations.NullMarked;
