/** The order in which the commands on one stream take effect. */
@NullMarked
package dev.ebb.topology.order;

import org.jspecify.annotations.NullMarked;
