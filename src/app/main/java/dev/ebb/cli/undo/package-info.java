/** Undo on the command line, and the deletes that it can bring back. */
@NullMarked
package dev.ebb.cli.undo;

import org.jspecify.annotations.NullMarked;
