/** Stored rows and the rows of SQL, page by page, for their comparison. */
@NullMarked
package dev.ebb.runtime.verify;

import org.jspecify.annotations.NullMarked;
