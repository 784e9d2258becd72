/** Erasure of all events that match conditions, and the places where their bytes may remain. */
@NullMarked
package dev.ebb.domain.erase;

import org.jspecify.annotations.NullMarked;
