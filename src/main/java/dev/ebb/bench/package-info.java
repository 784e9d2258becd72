/** Repeatable measurements; they print and write down what they find and assert nothing. */
@NullMarked
package dev.ebb.bench;

import org.jspecify.annotations.NullMarked;
