package dev.ebb.sql;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The way to the REST interface of Kafka Connect.
 *
 * @param urls the addresses of the workers of one cluster, at least one; any of them may answer
 * @param login the proof of who asks; empty if Connect asks for none
 * @param tls the certificates that {@code https} addresses may have; empty for those that Java trusts
 */
public record ConnectAccess(List<URI> urls, Optional<ConnectLogin> login, Optional<SSLContext> tls) {

    public ConnectAccess {
        urls = List.copyOf(urls);
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("at least one address is needed");
        }
    }
}
