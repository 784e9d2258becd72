package dev.ebb.api.oidc;

import dev.ebb.api.access.Role;
import dev.ebb.domain.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The issuer whose tokens are accepted, and the meaning of their claims. Prints no secret.
 *
 * @param issuer the identifier of the issuer, which is its address
 * @param audiences the audiences of which a token must have one
 * @param rolesClaim the claim with the roles, as a path with dots
 * @param roles the role for each value of that claim; empty: the values are the names of the roles
 * @param nameClaim the claim with the name of the person
 * @param client the identifier of the console at the issuer; empty: the console offers no login
 * @param clientSecret the secret of the console at the issuer; empty for a public client
 * @param tls the certificates that the issuer may have; null for those that Java trusts
 */
public record OidcSettings(
        String issuer,
        Set<String> audiences,
        List<String> rolesClaim,
        Map<String, Role> roles,
        String nameClaim,
        String client,
        String clientSecret,
        @Nullable SSLContext tls) {

    public OidcSettings {
        audiences = Snapshot.of(audiences);
        rolesClaim = List.copyOf(rolesClaim);
        roles = Snapshot.of(roles);
    }

    /** Returns the roles of values of the claim; values that mean nothing here are left out. */
    Stream<Role> rolesOf(Stream<String> values) {
        return values.flatMap(
                value -> roles.isEmpty() ? Role.parse(value).stream() : Stream.ofNullable(roles.get(value)));
    }

    @Override
    public String toString() {
        return "OidcSettings[" + issuer + ", " + audiences + ", " + client + "]";
    }
}
