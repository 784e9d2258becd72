/**
 * Sources at work: topics of other applications whose records become events of Ebb, and the tombstones that deletes send
 * back under their own keys (F-4 to F-8).
 */
@NullMarked
package dev.ebb.topology.source;

import org.jspecify.annotations.NullMarked;
