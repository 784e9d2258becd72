package dev.ebb.topology.source;

import dev.ebb.domain.source.Source;

/**
 * A source that is in force.
 *
 * @param source the source
 * @param version the version of its record; a later declaration has a higher one
 */
public record AcceptedSource(Source source, long version) {}
