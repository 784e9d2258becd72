/** Records that an instance sends for its callers: commands, policies and events; and the wait for their outcome. */
@NullMarked
package dev.ebb.runtime.writes;

import org.jspecify.annotations.NullMarked;
