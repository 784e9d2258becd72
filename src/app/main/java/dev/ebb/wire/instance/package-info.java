/** JSON records of what instances say about themselves and about their mirror. */
@NullMarked
package dev.ebb.wire.instance;

import org.jspecify.annotations.NullMarked;
