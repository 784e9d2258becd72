package dev.ebb.api.door;

import dev.ebb.api.access.TokenCheck;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.oidc.ConsoleLogin;
import dev.ebb.domain.Snapshot;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Protection of the server.
 *
 * @param tokens knows the callers of tokens; null: every caller has all rights
 * @param tls certificate and key of the server; null: the server speaks plain HTTP
 * @param hosts the names by which callers may address the server, in lower case and without a port; empty if any name
 *     is allowed
 * @param origins origins of pages that may call the server besides its own, as browsers name them, in lower case
 * @param login the login of the console; null if it takes tokens alone
 * @param second tells whether some acts need two people
 */
public record ApiSecurity(
        @Nullable TokenCheck tokens,
        @Nullable TlsFiles tls,
        Set<String> hosts,
        Set<String> origins,
        ApiLimits limits,
        @Nullable ConsoleLogin login,
        SecondPerson second) {

    /** Protection of a server that is reachable from this machine alone, under any name. */
    public static final ApiSecurity NONE = new ApiSecurity(null, null, Set.of(), ApiLimits.DEFAULT);

    public ApiSecurity {
        hosts = Snapshot.of(hosts);
        origins = Snapshot.of(origins);
    }

    /** Makes the protection of a server that only its own pages may call. */
    public ApiSecurity(@Nullable TokenCheck tokens, @Nullable TlsFiles tls, Set<String> hosts, ApiLimits limits) {
        this(tokens, tls, hosts, Set.of(), limits);
    }

    /** Makes the protection of a server that knows no people. */
    public ApiSecurity(
            @Nullable TokenCheck tokens,
            @Nullable TlsFiles tls,
            Set<String> hosts,
            Set<String> origins,
            ApiLimits limits) {
        this(tokens, tls, hosts, origins, limits, null, new SecondPerson(false));
    }

    /**
     * Files of a certificate with its chain, and of its key, both in PEM.
     *
     * @param key the key in PKCS#8, not encrypted
     */
    public record TlsFiles(Path certificate, Path key) {}
}
