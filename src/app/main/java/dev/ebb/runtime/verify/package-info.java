/** Stored rows and the rows of SQL, page by page, for a comparison of both. */
@NullMarked
package dev.ebb.runtime.verify;

import org.jspecify.annotations.NullMarked;
