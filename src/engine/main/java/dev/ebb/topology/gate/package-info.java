/** Policy gate: which changes of policies and holds come into force, and when. */
@NullMarked
package dev.ebb.topology.gate;

import org.jspecify.annotations.NullMarked;
