/** The command that runs measurements and shows their figures. */
@NullMarked
package dev.ebb.cli.bench;

import org.jspecify.annotations.NullMarked;
