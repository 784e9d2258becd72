/** What falls due when, what went when, and news of changes, as REST shows them. */
@NullMarked
package dev.ebb.wire.forecast;

import org.jspecify.annotations.NullMarked;
