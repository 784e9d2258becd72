/** Text on a terminal: tables, colours, progress; knows nothing of Ebb. */
@NullMarked
package dev.ebb.cli.terminal;

import org.jspecify.annotations.NullMarked;
