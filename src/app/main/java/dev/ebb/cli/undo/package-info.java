/** Undo on the command line, and what waits for it. */
@NullMarked
package dev.ebb.cli.undo;

import org.jspecify.annotations.NullMarked;
