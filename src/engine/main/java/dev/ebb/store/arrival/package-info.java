/** Changes that records bring: events, updates of executions, other arrangements. */
@NullMarked
package dev.ebb.store.arrival;

import org.jspecify.annotations.NullMarked;
