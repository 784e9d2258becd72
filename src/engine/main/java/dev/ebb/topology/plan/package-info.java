/** Plans of dry runs: how they are noted, used once, and compared with what may still go. */
@NullMarked
package dev.ebb.topology.plan;

import org.jspecify.annotations.NullMarked;
