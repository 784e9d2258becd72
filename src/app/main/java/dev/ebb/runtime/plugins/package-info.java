/** Classes of Kafka Connect from a folder of plugins, isolated from Ebb and from one another (F-3). */
@NullMarked
package dev.ebb.runtime.plugins;

import org.jspecify.annotations.NullMarked;
