/** Commands, policies and events that an instance sends for its callers, and the wait for their outcome. */
@NullMarked
package dev.ebb.runtime.writes;

import org.jspecify.annotations.NullMarked;
