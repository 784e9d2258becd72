/** JSON records in which instances describe themselves and their mirror. */
@NullMarked
package dev.ebb.wire.instance;

import org.jspecify.annotations.NullMarked;
