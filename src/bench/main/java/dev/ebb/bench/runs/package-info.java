/** Measurements by name, and their trials; they print and write down what they find and assert nothing. */
@NullMarked
package dev.ebb.bench.runs;

import org.jspecify.annotations.NullMarked;
