package dev.ebb.runtime;

import dev.ebb.api.access.Pem;
import dev.ebb.api.access.Role;
import dev.ebb.api.oidc.OidcSettings;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The issuer whose tokens are accepted, as the settings name it. Stateless. */
final class OidcConfig {

    private OidcConfig() {}

    /**
     * Returns the issuer; empty if the settings name none.
     *
     * @throws dev.ebb.api.access.UnusableFileException if its certificates cannot be used
     */
    static Optional<OidcSettings> settings(EbbConfig config) {
        return Optional.of(config.get(Settings.API_OIDC_ISSUER))
                .filter(issuer -> !issuer.isEmpty())
                .map(issuer -> new OidcSettings(
                        issuer,
                        new LinkedHashSet<>(config.get(Settings.API_OIDC_AUDIENCE)),
                        List.of(config.get(Settings.API_OIDC_ROLES_CLAIM).split("\\.", -1)),
                        roles(config),
                        config.get(Settings.API_OIDC_NAME_CLAIM),
                        config.get(Settings.API_OIDC_CLIENT),
                        config.get(Settings.API_OIDC_CLIENT_SECRET),
                        config.get(Settings.API_OIDC_CA_FILE).map(Pem::trusting).orElse(null)));
    }

    private static Map<String, Role> roles(EbbConfig config) {
        return config.get(Settings.API_OIDC_ROLES).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> Role.parse(entry.getValue()).orElseThrow()));
    }
}
