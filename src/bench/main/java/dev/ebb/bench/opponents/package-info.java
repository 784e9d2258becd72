/** Applications with which Ebb is compared. */
@NullMarked
package dev.ebb.bench.opponents;

import org.jspecify.annotations.NullMarked;
