/** What all work of commands shares: its steps, its parts, its answers, and the reasons for which it is refused. */
@NullMarked
package dev.ebb.topology.work;

import org.jspecify.annotations.NullMarked;
