/** The console: a web page over the routes of REST, and the files that it is made of. */
@NullMarked
package dev.ebb.api.console;

import org.jspecify.annotations.NullMarked;
