/** Tables that several commands print. */
@NullMarked
package dev.ebb.cli.tables;

import org.jspecify.annotations.NullMarked;
