/** The demonstration: a stack of its own, sample events, and a look at what becomes of them. */
@NullMarked
package dev.ebb.cli.demo;

import org.jspecify.annotations.NullMarked;
