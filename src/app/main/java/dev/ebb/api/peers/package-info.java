/** Questions between instances: a request is passed on to the instance that can answer it, or to all instances. */
@NullMarked
package dev.ebb.api.peers;

import org.jspecify.annotations.NullMarked;
