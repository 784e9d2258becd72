package dev.ebb.api.oidc;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IssuerAwayException;
import dev.ebb.api.access.RefusedTokenException;
import dev.ebb.api.access.Role;
import dev.ebb.api.access.TokenCheck;
import java.security.Key;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.VerificationJwkSelector;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that an issuer has signed for people. A token needs a signature by one of the issuer's public keys, the issuer
 * itself, one of the audiences, an end that has not come, and a subject. Its clock may be off by 30 s. Thread-safe.
 */
final class PersonTokens implements TokenCheck {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@+-]{1,100}");
    private static final int CLOCK_SKEW_SECONDS = 30;

    /** Signatures by a private key: with a shared secret, or none, a caller could sign for itself. */
    private static final AlgorithmConstraints SIGNATURES = new AlgorithmConstraints(
            ConstraintType.PERMIT,
            AlgorithmIdentifiers.RSA_USING_SHA256,
            AlgorithmIdentifiers.RSA_USING_SHA384,
            AlgorithmIdentifiers.RSA_USING_SHA512,
            AlgorithmIdentifiers.RSA_PSS_USING_SHA256,
            AlgorithmIdentifiers.RSA_PSS_USING_SHA384,
            AlgorithmIdentifiers.RSA_PSS_USING_SHA512,
            AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
            AlgorithmIdentifiers.ECDSA_USING_P384_CURVE_AND_SHA384,
            AlgorithmIdentifiers.ECDSA_USING_P521_CURVE_AND_SHA512,
            AlgorithmIdentifiers.EDDSA);

    private static final Map<Integer, String> REASONS = Map.of(
            ErrorCodes.EXPIRED, "the token has expired; log in again",
            ErrorCodes.AUDIENCE_INVALID, "the token is for another audience; api.oidc.audience names those of Ebb",
            ErrorCodes.AUDIENCE_MISSING, "the token is for no audience; api.oidc.audience names those of Ebb",
            ErrorCodes.ISSUER_INVALID, "the token comes from another issuer",
            ErrorCodes.NOT_YET_VALID, "the token is not valid yet",
            ErrorCodes.SIGNATURE_INVALID, "the signature of the token is not that of the issuer");

    private final OidcSettings settings;
    private final Issuer issuer;
    private final JwtConsumer consumer;

    PersonTokens(OidcSettings settings, Issuer issuer, @Nullable NumericDate now) {
        this.settings = settings;
        this.issuer = issuer;
        JwtConsumerBuilder builder = new JwtConsumerBuilder()
                .setExpectedIssuer(true, settings.issuer())
                .setExpectedAudience(true, settings.audiences().toArray(String[]::new))
                .setRequireExpirationTime()
                .setRequireSubject()
                .setAllowedClockSkewInSeconds(CLOCK_SKEW_SECONDS)
                .setJwsAlgorithmConstraints(SIGNATURES)
                .setVerificationKeyResolver(this::key);
        if (now != null) {
            builder.setEvaluationTime(now);
        }
        consumer = builder.build();
    }

    @Override
    public Caller caller(String secret) {
        try {
            return caller(consumer.processToClaims(secret));
        } catch (InvalidJwtException e) {
            if (e.getCause() instanceof IssuerAwayException away) {
                throw away;
            }
            throw new RefusedTokenException(REASONS.entrySet().stream()
                    .filter(reason -> e.hasErrorCode(reason.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse("the token is not one that the issuer " + settings.issuer() + " has signed"));
        }
    }

    private Key key(JsonWebSignature signature, List<JsonWebStructure> nested) throws UnresolvableKeyException {
        try {
            JsonWebKey key =
                    new VerificationJwkSelector().select(signature, issuer.keys(signature.getKeyIdHeaderValue()));
            if (key != null) {
                return key.getKey();
            }
        } catch (JoseException e) {
            throw new UnresolvableKeyException("no key", e);
        }
        throw new UnresolvableKeyException("no key");
    }

    private Caller caller(JwtClaims claims) {
        String name = name(claims);
        Set<Role> roles = settings.rolesOf(values(claims.getClaimsMap(), settings.rolesClaim()))
                .collect(Collectors.toSet());
        if (roles.isEmpty()) {
            throw new RefusedTokenException("the token of '" + name + "' names no role of Ebb in its claim '"
                    + String.join(".", settings.rolesClaim()) + "'");
        }
        return new Caller(name, roles);
    }

    /** Returns the name for the audit: the one that the settings ask for, or the subject. */
    private String name(JwtClaims claims) {
        return Stream.of(settings.nameClaim(), "sub")
                .map(claim -> String.valueOf(claims.getClaimValue(claim)))
                .filter(text -> NAME.matcher(text).matches())
                .findFirst()
                .orElseThrow(() -> new RefusedTokenException(
                        "the token has no usable name: 1 to 100 letters, digits, '.', '_', '@', '+' and '-'"));
    }

    /** Returns the texts below a path; a text with blanks is several, as in the claim of scopes. */
    private static Stream<String> values(@Nullable Object claims, List<String> path) {
        if (!path.isEmpty()) {
            Object below = claims instanceof Map<?, ?> map ? map.get(path.get(0)) : null;
            return values(below, path.subList(1, path.size()));
        }
        return claims instanceof Collection<?> many
                ? many.stream().map(String::valueOf)
                : Stream.of(String.valueOf(claims).split(" ", -1));
    }
}
