/** Erasures: the command that asks for one, and the list of those that were. */
@NullMarked
package dev.ebb.erase;

import org.jspecify.annotations.NullMarked;
