/** Waiting records: the reader, the list and its route, and the command that lists, drops and retries them. */
@NullMarked
package dev.ebb.parking;

import org.jspecify.annotations.NullMarked;
