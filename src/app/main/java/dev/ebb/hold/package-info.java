/** Holds: the commands that place, release and list them, and their routes. */
@NullMarked
package dev.ebb.hold;

import org.jspecify.annotations.NullMarked;
