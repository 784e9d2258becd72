/** Indexes in the usage store by which streams are found that are not in memory. */
@NullMarked
package dev.ebb.store.index;

import org.jspecify.annotations.NullMarked;
