/** Exit codes of commands, and failures that end them. */
@NullMarked
package dev.ebb.cli.outcome;

import org.jspecify.annotations.NullMarked;
