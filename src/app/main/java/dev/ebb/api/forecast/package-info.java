/** Routes that show when events fall due, when they went, and what has just changed. */
@NullMarked
package dev.ebb.api.forecast;

import org.jspecify.annotations.NullMarked;
