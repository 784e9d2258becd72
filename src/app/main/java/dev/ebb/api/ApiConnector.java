package dev.ebb.api;

import dev.ebb.api.access.Pem;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.connection.ApiLimits.Connections;
import dev.ebb.api.connection.LimitedConnector;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSecurity.TlsFiles;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.http.RequestRules;
import java.util.Objects;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** Address on which the server listens, and the treatment of connections before there is a request. */
final class ApiConnector {

    /**
     * A stream name may contain a '/' or a '%', or be '..', each percent-encoded. Jetty refuses such paths because
     * servlets that look at decoded paths may be fooled; all routes here match the path as it was sent.
     */
    private static final UriCompliance NAMES_IN_PATHS = UriCompliance.RFC3986.with(
            "names in paths",
            Violation.AMBIGUOUS_PATH_SEPARATOR,
            Violation.AMBIGUOUS_PATH_ENCODING,
            Violation.AMBIGUOUS_PATH_SEGMENT,
            Violation.AMBIGUOUS_PATH_PARAMETER,
            Violation.AMBIGUOUS_EMPTY_SEGMENT,
            Violation.SUSPICIOUS_PATH_CHARACTERS);

    private static final String[] TLS_PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final ApiSettings settings;
    private final ApiSecurity security;
    private @Nullable ServerConnector connector;

    ApiConnector(ApiSettings settings, ApiSecurity security) {
        this.settings = settings;
        this.security = security;
    }

    /** Returns the port on which the connector listens, once it does. */
    int port() {
        return Objects.requireNonNull(connector, "not started").getLocalPort();
    }

    /** Makes the only connector of the server. */
    ServerConnector connect(Server server, HttpConfiguration http) {
        ApiLimits limits = security.limits();
        http.setUriCompliance(NAMES_IN_PATHS);
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(limits.headerBytes());
        // A connection caches the headers that it has seen, and looks up each header in this cache: two tokens may
        // differ in letter case alone.
        http.setHeaderCacheCaseSensitive(true);
        http.addCustomizer(new RequestRules());
        ServerConnector made = made(server, http);
        made.setHost(settings.host());
        made.setPort(settings.port());
        connector = made;
        return made;
    }

    private ServerConnector made(Server server, HttpConfiguration http) {
        Connections limits = security.limits().connections();
        TlsFiles files = security.tls();
        if (files == null) {
            return new LimitedConnector(server, http, limits, new HttpConnectionFactory(http));
        }
        // The client checks the name, because only the client knows which name it asked for.
        http.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(Pem.identity(files.certificate(), files.key()));
        tls.setKeyStorePassword("");
        tls.setIncludeProtocols(TLS_PROTOCOLS);
        ServerConnector made = new LimitedConnector(
                server, http, limits, new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory(http));
        made.addBean(new RenewedCertificate(tls, files, System::nanoTime));
        return made;
    }
}
