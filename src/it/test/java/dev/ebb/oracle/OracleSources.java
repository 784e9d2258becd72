package dev.ebb.oracle;

import java.net.URI;
import java.util.List;

/**
 * Where the oracle reads.
 *
 * @param bootstrapServers the brokers
 * @param topicsPrefix prefix of the names of the topics, for example {@code ebb.}
 * @param registry the schema registry; null if there is none
 * @param instances the REST addresses of all instances
 * @param bearerTokenOrNull token that they ask for; null if they ask for nothing
 * @param jdbcUrl the database of the mirror
 * @param sqlUser user that may read it
 * @param sqlPassword with what
 */
public record OracleSources(
        String bootstrapServers,
        String topicsPrefix,
        URI registry,
        List<URI> instances,
        String bearerTokenOrNull,
        String jdbcUrl,
        String sqlUser,
        String sqlPassword) {}
