/** Commands that delete, and their results. */
@NullMarked
package dev.ebb.cli.remove;

import org.jspecify.annotations.NullMarked;
