package dev.ebb.runtime;

import dev.ebb.api.ApiServer;
import dev.ebb.api.access.Pem;
import dev.ebb.api.access.Tokens;
import dev.ebb.api.access.UnusableFileException;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSecurity.TlsFiles;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.oidc.Oidc;
import dev.ebb.api.peers.PeerPorts;
import dev.ebb.api.peers.PeerSettings;
import dev.ebb.config.Address;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.port.ApiPorts;
import dev.ebb.runtime.life.RefusedException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The server of the API, as the settings describe it. */
final class ApiDoor {

    private ApiDoor() {}

    /**
     * Creates the server, which does not listen yet; throws {@link RefusedException} if tokens or certificate cannot be
     * used.
     */
    static ApiServer server(EbbConfig config, ApiPorts ports, PeerPorts peers) {
        try {
            return new ApiServer(ports, settings(config), security(config), peers);
        } catch (UnusableFileException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the settings for requests to other instances; throws {@link RefusedException} if their certificates
     * cannot be checked.
     */
    static PeerSettings peers(EbbConfig config) {
        try {
            SSLContext tls = config.get(Settings.API_TLS_CERTIFICATE)
                    .map(own ->
                            Pem.trusting(config.get(Settings.API_PEER_CA_FILE).orElse(own)))
                    .orElse(null);
            return PeerSettings.of(config.get(Settings.API_PEER_SECRET), tls);
        } catch (UnusableFileException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the addresses of the API, and the limits for requests. */
    static ApiSettings settings(EbbConfig config) {
        Address listen = config.get(Settings.API_LISTEN);
        ApiSettings api =
                ApiSettings.at(listen.host(), listen.port()).withMaxBodyBytes(config.get(Settings.API_MAX_BODY_BYTES));
        return config.get(Settings.HEALTH_LISTEN)
                .map(health -> api.withHealth(health.host(), health.port()))
                .orElse(api);
    }

    /** Returns the tokens, certificates, names and limits of the API. */
    static ApiSecurity security(EbbConfig config) {
        @Nullable
        Tokens file = config.get(Settings.API_TOKENS_FILE).map(Tokens::new).orElse(null);
        Optional<Oidc> oidc = OidcConfig.settings(config).map(Oidc::of);
        @Nullable
        TlsFiles tls = config.get(Settings.API_TLS_CERTIFICATE)
                .map(certificate -> new TlsFiles(
                        certificate, config.get(Settings.API_TLS_KEY).orElseThrow()))
                .orElse(null);
        return new ApiSecurity(
                oidc.map(people -> people.beside(file)).orElse(file),
                tls,
                hosts(config),
                config.get(Settings.API_PUBLIC_URLS).origins(),
                ApiLimits.of(
                        config.get(Settings.API_MAX_REQUESTS),
                        config.get(Settings.API_MAX_RATE),
                        config.get(Settings.API_MAX_CONNECTIONS)),
                oidc.flatMap(Oidc::login).orElse(null),
                new SecondPerson(config.get(Settings.API_SECOND_PERSON).equals("on")));
    }

    /**
     * On loopback, a browser may run on the same machine, and a foreign page may make it send requests here under a
     * name of the page's own.
     */
    private static Set<String> hosts(EbbConfig config) {
        Set<String> hosts = new TreeSet<>();
        if (config.get(Settings.API_LISTEN).isLoopback()) {
            hosts.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
            hosts.add(config.get(Settings.API_LISTEN).host().toLowerCase(Locale.ROOT));
            hosts.add(config.apiAdvertised().host().toLowerCase(Locale.ROOT));
            hosts.addAll(config.get(Settings.API_PUBLIC_URLS).hosts());
        }
        return hosts;
    }
}
