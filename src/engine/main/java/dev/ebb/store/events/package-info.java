/** Events of a stream in their ranges: placed, found, walked and removed. */
@NullMarked
package dev.ebb.store.events;

import org.jspecify.annotations.NullMarked;
