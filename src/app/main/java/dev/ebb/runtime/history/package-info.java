/** Queries on topics, read backwards from their ends: audit, reports, rejected records and the archive. */
@NullMarked
package dev.ebb.runtime.history;

import org.jspecify.annotations.NullMarked;
