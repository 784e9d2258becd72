/** Ports of an instance: requests from outside, in values that know neither HTTP nor Kafka. */
@NullMarked
package dev.ebb.port;

import org.jspecify.annotations.NullMarked;
