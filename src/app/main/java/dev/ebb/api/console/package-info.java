/** The console: a web page over the routes of REST, and its files. */
@NullMarked
package dev.ebb.api.console;

import org.jspecify.annotations.NullMarked;
