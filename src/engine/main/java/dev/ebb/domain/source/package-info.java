/**
 * Sources: topics of other applications whose records Ebb takes as events where they already are (F-1 to F-13). The
 * model of a source, its paths and times, and the mapping from a record to an event; no Kafka and no format.
 */
@NullMarked
package dev.ebb.domain.source;

import org.jspecify.annotations.NullMarked;
