/** Sources: topics of other applications whose records Ebb takes as events where they already are (F-1 to F-13). */
@NullMarked
package dev.ebb.source;

import org.jspecify.annotations.NullMarked;
