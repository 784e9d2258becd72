/** Search for events by what is in them. */
@NullMarked
package dev.ebb.store.search;

import org.jspecify.annotations.NullMarked;
