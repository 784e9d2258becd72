/** How a command ends. */
@NullMarked
package dev.ebb.cli.outcome;

import org.jspecify.annotations.NullMarked;
