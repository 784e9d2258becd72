/**
 * Topics, access rules and clients of Kafka: the needs of an instance from a broker, and how they are checked and met.
 */
@NullMarked
package dev.ebb.runtime.kafka;

import org.jspecify.annotations.NullMarked;
