/** Copies of events on topics, for an erasure. */
@NullMarked
package dev.ebb.runtime.erase;

import org.jspecify.annotations.NullMarked;
