/** Instances as members of the group that shares the partitions: shows them, and takes a dead one out. */
@NullMarked
package dev.ebb.instance;

import org.jspecify.annotations.NullMarked;
