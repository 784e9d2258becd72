/** Keys and values of the stores: ranges, codecs, formats. */
@NullMarked
package dev.ebb.store.layout;

import org.jspecify.annotations.NullMarked;
