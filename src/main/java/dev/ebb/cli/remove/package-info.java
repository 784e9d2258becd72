/** Commands that delete, and what becomes of them. */
@NullMarked
package dev.ebb.cli.remove;

import org.jspecify.annotations.NullMarked;
