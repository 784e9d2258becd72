/** The state of one partition: {@link dev.ebb.store.EventStore} owns it and is the only door to a change. */
@NullMarked
package dev.ebb.store;

import org.jspecify.annotations.NullMarked;
