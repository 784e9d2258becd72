/** The state of one partition: {@link dev.ebb.store.EventStore} owns it and alone changes it. */
@NullMarked
package dev.ebb.store;

import org.jspecify.annotations.NullMarked;
