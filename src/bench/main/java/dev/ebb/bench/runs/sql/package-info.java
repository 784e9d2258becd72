/** Measurements of the way of rows into SQL. */
@NullMarked
package dev.ebb.bench.runs.sql;

import org.jspecify.annotations.NullMarked;
