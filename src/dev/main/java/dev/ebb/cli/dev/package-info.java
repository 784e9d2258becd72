/** Commands for a first look: development stack and demonstration. */
@NullMarked
package dev.ebb.cli.dev;

import org.jspecify.annotations.NullMarked;
