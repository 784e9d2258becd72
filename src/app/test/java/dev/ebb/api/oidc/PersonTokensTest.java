package dev.ebb.api.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IssuerAwayException;
import dev.ebb.api.access.LocalIssuer;
import dev.ebb.api.access.RefusedTokenException;
import dev.ebb.api.access.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R-11")
class PersonTokensTest {

    private static final long NOW = Instant.parse("2026-11-29T12:00:00Z").getEpochSecond();

    private long nanos;
    private LocalIssuer issuer;
    private PersonTokens tokens;

    @BeforeEach
    void startIssuer() {
        issuer = new LocalIssuer();
        tokens = tokens("roles", Map.of());
    }

    @AfterEach
    void stopIssuer() {
        issuer.close();
    }

    @Test
    void shouldKnowAPersonWithAllHerRoles() {
        Caller eva = tokens.caller(token(Map.of("roles", List.of("eraser", "restorer", "something-else"))));
        assertThat(eva).isEqualTo(new Caller("eva", Set.of(Role.ERASER, Role.RESTORER)));
        assertThat(eva.covers(Role.ERASER)).isTrue();
        assertThat(eva.covers(Role.RESTORER)).isTrue();
        assertThat(eva.covers(Role.VIEWER)).isTrue();
        assertThat(eva.covers(Role.OPERATOR)).isFalse();
    }

    @Test
    void shouldTranslateValuesOfANestedClaim() {
        // given
        tokens = tokens("realm_access.roles", Map.of("privacy team", Role.ERASER, "platform", Role.ADMIN));

        // when, then
        Map<String, Object> nested = Map.of("realm_access", Map.of("roles", List.of("platform", "viewer")));
        assertThat(tokens.caller(token(nested)).roles()).containsExactly(Role.ADMIN);
        assertThatThrownBy(() -> tokens.caller(token(Map.of("realm_access", Map.of("roles", List.of("admin"))))))
                .isInstanceOf(RefusedTokenException.class)
                .hasMessageContaining("'eva' names no role")
                .hasMessageContaining("realm_access.roles");
    }

    @Test
    void shouldReadRolesFromAListInOneText() {
        tokens = tokens("scope", Map.of());
        assertThat(tokens.caller(token(Map.of("scope", "openid viewer operator")))
                        .roles())
                .containsExactlyInAnyOrder(Role.VIEWER, Role.OPERATOR);
    }

    @ParameterizedTest
    @CsvSource({"eva.m@example.org, eva.m@example.org", "Eva Müller, 0-eva", "'', 0-eva"})
    void shouldNameThePersonByTheSubjectWhereTheNameWillNotDo(String claimed, String name) {
        Map<String, Object> claims = Map.of("preferred_username", claimed, "roles", List.of("viewer"));
        assertThat(tokens.caller(token(claims)).name()).isEqualTo(name);
    }

    /** An end within 30 s of now may be due to another clock. */
    @ParameterizedTest
    @CsvSource({"1, true", "-29, true", "-31, false"})
    void shouldAcceptATokenUntilItsEnd(long seconds, boolean isAccepted) {
        String token = token(Map.of("exp", NOW + seconds, "roles", List.of("viewer")));
        if (isAccepted) {
            assertThat(tokens.caller(token).name()).isEqualTo("eva");
        } else {
            assertThatThrownBy(() -> tokens.caller(token)).hasMessageContaining("has expired");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "iss, https://elsewhere.example, another issuer",
        "aud, another-application, another audience",
        "nbf, 40, not valid yet"
    })
    void shouldRefuseATokenForSomethingElse(String claim, String value, String said) {
        Object typed = claim.equals("nbf") ? Long.valueOf(NOW + Long.parseLong(value)) : value;
        assertThatThrownBy(() -> tokens.caller(token(Map.of(claim, typed, "roles", List.of("admin")))))
                .isInstanceOf(RefusedTokenException.class)
                .hasMessageContaining(said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sub", "aud", "exp", "iss"})
    void shouldRefuseATokenThatLacksAClaim(String claim) {
        Map<String, Object> claims = new HashMap<>(Map.of("roles", List.of("admin")));
        claims.put(claim, null);
        assertThatThrownBy(() -> tokens.caller(token(claims))).isInstanceOf(RefusedTokenException.class);
    }

    @Test
    void shouldRefuseATokenThatTheIssuerHasNotSigned() {
        try (LocalIssuer other = new LocalIssuer()) {
            Map<String, Object> claims = all(Map.of("iss", issuer.issuer(), "roles", List.of("admin")));
            String unsigned = issuer.sign(claims, AlgorithmIdentifiers.NONE);
            String good = token(Map.of("roles", List.of("viewer")));
            String changed = good.substring(0, good.lastIndexOf('.') + 1)
                    + other.sign(claims).substring(other.sign(claims).lastIndexOf('.') + 1);
            for (String token : List.of(other.sign(claims), unsigned, changed, "a.b.c", "..", good + "x")) {
                assertThatThrownBy(() -> tokens.caller(token))
                        .isInstanceOf(RefusedTokenException.class)
                        .message()
                        .doesNotContain(token.length() > 5 ? token : "eyJ");
            }
        }
    }

    /** Forged tokens cannot make a crowd of requests to the issuer. */
    @Test
    void shouldAskForNewKeysEveryTenSecondsAtMost() {
        // given
        Map<String, Object> viewer = Map.of("roles", List.of("viewer"));
        tokens.caller(token(viewer));
        issuer.renewKey();
        String renewed = token(viewer);

        // when, then
        nanos = Duration.ofSeconds(10).toNanos() - 1;
        assertThatThrownBy(() -> tokens.caller(renewed)).isInstanceOf(RefusedTokenException.class);
        assertThat(issuer.keysAsked()).isEqualTo(1);

        // when, then
        nanos = Duration.ofSeconds(10).toNanos();
        assertThat(tokens.caller(renewed).name()).isEqualTo("eva");
        tokens.caller(renewed);
        assertThat(issuer.keysAsked()).isEqualTo(2);
    }

    @Test
    void shouldSayThatTheIssuerIsAway() {
        String token = token(Map.of("roles", List.of("viewer")));
        issuer.close();
        assertThatThrownBy(() -> tokens.caller(token))
                .isInstanceOf(IssuerAwayException.class)
                .hasMessageContaining(issuer.issuer())
                .hasMessageContaining("does not answer");
    }

    /** Tokens that anyone can make up must not hold up a thread each while the issuer is away. */
    @Test
    void shouldAskAnIssuerThatIsAwayOnceASecondAtMost() {
        // given
        String token = token(Map.of("roles", List.of("viewer")));
        issuer.outOfOrder(true);
        assertThatThrownBy(() -> tokens.caller(token)).isInstanceOf(IssuerAwayException.class);

        // when, then
        nanos = Duration.ofSeconds(1).toNanos() - 1;
        assertThatThrownBy(() -> tokens.caller(token)).isInstanceOf(IssuerAwayException.class);
        assertThat(issuer.keysAsked()).isEqualTo(1);

        // when, then
        nanos = Duration.ofSeconds(1).toNanos();
        assertThatThrownBy(() -> tokens.caller(token)).isInstanceOf(IssuerAwayException.class);
        assertThat(issuer.keysAsked()).isEqualTo(2);

        // when, then
        issuer.outOfOrder(false);
        nanos = Duration.ofSeconds(2).toNanos() + 1;
        assertThat(tokens.caller(token).name()).isEqualTo("eva");
    }

    private PersonTokens tokens(String rolesClaim, Map<String, Role> roles) {
        OidcSettings settings = new OidcSettings(
                issuer.issuer(),
                Set.of("ebb", "ebb-console"),
                List.of(rolesClaim.split("\\.")),
                roles,
                "preferred_username",
                "",
                "",
                null);
        return new PersonTokens(settings, new Issuer(settings, () -> nanos), NumericDate.fromSeconds(NOW));
    }

    private String token(Map<String, Object> claims) {
        return issuer.sign(all(claims));
    }

    private static Map<String, Object> all(Map<String, Object> claims) {
        Map<String, Object> all = new HashMap<>();
        all.put("sub", "0-eva");
        all.put("preferred_username", "eva");
        all.put("aud", "ebb");
        all.put("iat", NOW - 3600);
        all.put("exp", NOW + 60);
        all.putAll(claims);
        return all;
    }
}
