/** Health, status, lag and clock of an instance while it runs. */
@NullMarked
package dev.ebb.runtime.watch;

import org.jspecify.annotations.NullMarked;
