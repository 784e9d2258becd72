/** Ports of an instance: requests that the outside may make, in values that know neither HTTP nor Kafka. */
@NullMarked
package dev.ebb.port;

import org.jspecify.annotations.NullMarked;
