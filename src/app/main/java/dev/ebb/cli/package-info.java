/** The command {@code ebb} and its main method. */
@NullMarked
package dev.ebb.cli;

import org.jspecify.annotations.NullMarked;
