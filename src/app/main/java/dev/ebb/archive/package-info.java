/** The archive: its reader, its route and its command. */
@NullMarked
package dev.ebb.archive;

import org.jspecify.annotations.NullMarked;
