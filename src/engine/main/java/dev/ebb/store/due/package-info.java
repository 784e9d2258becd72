/** Events that fall due within a time, in the order in which they do. */
@NullMarked
package dev.ebb.store.due;

import org.jspecify.annotations.NullMarked;
