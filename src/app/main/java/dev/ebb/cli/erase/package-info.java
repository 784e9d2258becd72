/** Erasure on the command line. */
@NullMarked
package dev.ebb.cli.erase;

import org.jspecify.annotations.NullMarked;
