/** TCP connections of the REST server: how many there may be, and how long each may take. */
@NullMarked
package dev.ebb.api.connection;

import org.jspecify.annotations.NullMarked;
