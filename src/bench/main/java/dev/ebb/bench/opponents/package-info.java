/** Applications that Ebb is measured against. */
@NullMarked
package dev.ebb.bench.opponents;

import org.jspecify.annotations.NullMarked;
