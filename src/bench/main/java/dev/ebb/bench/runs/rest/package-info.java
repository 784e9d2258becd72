/** Measurements of restore, start, memory and rest. */
@NullMarked
package dev.ebb.bench.runs.rest;

import org.jspecify.annotations.NullMarked;
