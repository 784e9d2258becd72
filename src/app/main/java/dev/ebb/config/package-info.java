/** The settings as values: defined once, checked once, documented from their definitions. */
@NullMarked
package dev.ebb.config;

import org.jspecify.annotations.NullMarked;
