/** Search for events by their content. */
@NullMarked
package dev.ebb.store.search;

import org.jspecify.annotations.NullMarked;
