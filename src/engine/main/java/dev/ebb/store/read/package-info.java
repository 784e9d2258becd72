/** Views for readers: streams, events and pages, without a change of the state. */
@NullMarked
package dev.ebb.store.read;

import org.jspecify.annotations.NullMarked;
