/** Names that exist now, over all instances, and the notes about names that do not (O-23). */
@NullMarked
package dev.ebb.api.names;

import org.jspecify.annotations.NullMarked;
