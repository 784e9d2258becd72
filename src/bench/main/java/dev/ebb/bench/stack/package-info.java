/** Services and instances under measurement. */
@NullMarked
package dev.ebb.bench.stack;

import org.jspecify.annotations.NullMarked;
