/** Events that fall due within a stretch of time, soonest first. */
@NullMarked
package dev.ebb.store.due;

import org.jspecify.annotations.NullMarked;
