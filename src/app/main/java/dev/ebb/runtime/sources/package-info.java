/** Sources at work in an instance: one application of Kafka Streams for each, and watch over their topics (F-12). */
@NullMarked
package dev.ebb.runtime.sources;

import org.jspecify.annotations.NullMarked;
