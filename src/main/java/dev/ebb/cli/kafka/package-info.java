/** What the command line does with Kafka itself, without the application. */
@NullMarked
package dev.ebb.cli.kafka;

import org.jspecify.annotations.NullMarked;
