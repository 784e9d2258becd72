/** The demonstration: a stack of its own, sample events, and a look at their fate. */
@NullMarked
package dev.ebb.cli.demo;

import org.jspecify.annotations.NullMarked;
