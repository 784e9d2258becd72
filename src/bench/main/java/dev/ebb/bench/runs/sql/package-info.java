/** Measurements of the way into SQL. */
@NullMarked
package dev.ebb.bench.runs.sql;

import org.jspecify.annotations.NullMarked;
