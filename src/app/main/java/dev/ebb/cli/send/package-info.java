/** Commands that an instance carries out, from the options to the result. */
@NullMarked
package dev.ebb.cli.send;

import org.jspecify.annotations.NullMarked;
