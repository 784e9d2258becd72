/** The order in which commands take effect on one stream, and that each of them does so once. */
@NullMarked
package dev.ebb.topology.order;

import org.jspecify.annotations.NullMarked;
