/** Ports of an instance: what the outside may ask of it, in values that know neither HTTP nor Kafka. */
@NullMarked
package dev.ebb.port;

import org.jspecify.annotations.NullMarked;
