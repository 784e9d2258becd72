/** Topics, access rules and clients of Kafka: what an instance needs of a broker, and how it is checked and made. */
@NullMarked
package dev.ebb.runtime.kafka;

import org.jspecify.annotations.NullMarked;
