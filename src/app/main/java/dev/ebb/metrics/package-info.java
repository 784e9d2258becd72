/** Every meter once: its name, its labels and what it says. */
@NullMarked
package dev.ebb.metrics;

import org.jspecify.annotations.NullMarked;
