package dev.ebb.api.oidc;

import dev.ebb.api.access.TokenCheck;
import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.Tokens;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an issuer is needed for: the check of its tokens, and the login of the console.
 *
 * @param tokens knows the callers of tokens
 * @param login the login of the console; empty if it has none
 */
public record Oidc(TokenCheck tokens, Optional<ConsoleLogin> login) {

    /** Makes the parts; asks the issuer for nothing yet. */
    public static Oidc of(OidcSettings settings) {
        Issuer issuer = new Issuer(settings, System::nanoTime);
        return new Oidc(
                new PersonTokens(settings, issuer, null),
                settings.client().isEmpty() ? Optional.empty() : Optional.of(new ConsoleLogin(settings, issuer)));
    }

    /** Returns the check of tokens of a file and of people, which differ in their form. */
    public TokenCheck beside(@Nullable Tokens file) {
        return file == null
                ? tokens
                : secret -> TokenSecret.isSigned(secret) ? tokens.caller(secret) : file.caller(secret);
    }
}
