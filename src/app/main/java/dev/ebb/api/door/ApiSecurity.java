package dev.ebb.api.door;

import dev.ebb.api.access.Tokens;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.domain.Snapshot;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Protection of the server.
 *
 * @param tokens tokens of callers; null: every caller may do everything
 * @param tls certificate and key of the server; null: it speaks plain HTTP
 * @param hosts the names under which it may be called, in lower case and without a port; empty if any is good
 * @param origins origins of pages that may call it besides its own, as browsers name them, in lower case
 */
public record ApiSecurity(
        @Nullable Tokens tokens, @Nullable TlsFiles tls, Set<String> hosts, Set<String> origins, ApiLimits limits) {

    /** Protection of a server that only this machine reaches, under any name. */
    public static final ApiSecurity NONE = new ApiSecurity(null, null, Set.of(), ApiLimits.DEFAULT);

    public ApiSecurity {
        hosts = Snapshot.of(hosts);
        origins = Snapshot.of(origins);
    }

    /** Protection of a server whose own pages alone may call it. */
    public ApiSecurity(@Nullable Tokens tokens, @Nullable TlsFiles tls, Set<String> hosts, ApiLimits limits) {
        this(tokens, tls, hosts, Set.of(), limits);
    }

    /**
     * A certificate with its chain, and its key, both in PEM.
     *
     * @param key PKCS#8, not encrypted
     */
    public record TlsFiles(Path certificate, Path key) {}
}
