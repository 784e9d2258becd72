/** Records that wait, and their streams, in the state of one partition. */
@NullMarked
package dev.ebb.store.parking;

import org.jspecify.annotations.NullMarked;
