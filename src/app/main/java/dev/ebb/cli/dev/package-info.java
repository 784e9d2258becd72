/** Commands for a first look: development stack, demonstration, measurements. */
@NullMarked
package dev.ebb.cli.dev;

import org.jspecify.annotations.NullMarked;
