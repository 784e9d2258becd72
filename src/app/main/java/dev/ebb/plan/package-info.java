/** Plans of files of policies: the command and its tables, the route, and the sums that it answers. */
@NullMarked
package dev.ebb.plan;

import org.jspecify.annotations.NullMarked;
