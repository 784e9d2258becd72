/** Every meter once: its name, its labels and its description. */
@NullMarked
package dev.ebb.metrics;

import org.jspecify.annotations.NullMarked;
