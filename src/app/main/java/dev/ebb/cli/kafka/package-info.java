/** Work of the command line on Kafka itself, without the application. */
@NullMarked
package dev.ebb.cli.kafka;

import org.jspecify.annotations.NullMarked;
