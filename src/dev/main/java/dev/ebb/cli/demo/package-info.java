/** The demonstration: a stack of its own, sample events, and a view of what becomes of them. */
@NullMarked
package dev.ebb.cli.demo;

import org.jspecify.annotations.NullMarked;
