/** The command {@code ebb}: one class for each of its commands. */
@NullMarked
package dev.ebb.cli;

import org.jspecify.annotations.NullMarked;
