package dev.ebb.runtime.verify;

import dev.ebb.api.access.Pem;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.sql.ConnectAccess;
import dev.ebb.sql.ConnectLogin;
import java.util.Locale;
import java.util.Optional;

/** The way to Kafka Connect, made of the settings. Stateless. */
public final class ConnectSettings {

    private ConnectSettings() {}

    /**
     * Returns the way to Connect; empty if the settings name no address.
     *
     * @throws dev.ebb.api.access.UnusableFileException if the certificates cannot be used; the message says why
     */
    public static Optional<ConnectAccess> access(EbbConfig config) {
        return Optional.of(config.get(Settings.CONNECT_URLS))
                .filter(urls -> !urls.isEmpty())
                .map(urls -> new ConnectAccess(
                        urls,
                        login(config),
                        config.get(Settings.CONNECT_CA_FILE).map(Pem::trusting)));
    }

    private static Optional<ConnectLogin> login(EbbConfig config) {
        String scheme = config.get(Settings.CONNECT_AUTH);
        return config.get(Settings.CONNECT_AUTH_FILE)
                .map(file -> new ConnectLogin(ConnectLogin.Scheme.valueOf(scheme.toUpperCase(Locale.ROOT)), file));
    }
}
