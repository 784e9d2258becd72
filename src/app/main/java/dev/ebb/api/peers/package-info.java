/** Questions between instances: a request goes on to the instance that can answer it, or to all of them. */
@NullMarked
package dev.ebb.api.peers;

import org.jspecify.annotations.NullMarked;
