/** Events for measurements, drawn from a seed. */
@NullMarked
package dev.ebb.bench.load;

import org.jspecify.annotations.NullMarked;
