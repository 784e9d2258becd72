package dev.ebb.api.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.api.access.IssuerAwayException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * The issuer, as its own description tells. The description is asked for at the first need and kept; the keys are asked
 * for again when a token names an unknown one, at most every ten seconds, so that forged tokens cannot make a crowd of
 * requests. An issuer that is away is asked once a second at most, or each token would hold up a thread. Thread-safe; while
 * one thread asks, others wait.
 */
final class Issuer {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long AWAY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MAX_BYTES = 1 << 20;

    private final OidcSettings settings;
    private final HttpClient http;
    private final LongSupplier nanoTime;
    private @Nullable Description description;
    private List<JsonWebKey> keys = List.of();
    private boolean hasAsked;
    private long askedNanos;
    private @Nullable IssuerAwayException absence;
    private long absentNanos;

    Issuer(OidcSettings settings, LongSupplier nanoTime) {
        this.settings = settings;
        this.nanoTime = nanoTime;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        if (settings.tls() != null) {
            builder.sslContext(settings.tls());
        }
        this.http = builder.build();
    }

    /**
     * Addresses of the issuer.
     *
     * @param login the page at which people log in
     * @param token where a code is exchanged for a token
     * @param keys the public keys
     */
    record Description(URI login, URI token, URI keys) {}

    /** Returns the addresses of the issuer; throws {@link IssuerAwayException} if it does not tell them. */
    synchronized Description description() {
        Description known = description;
        if (known == null) {
            String root = settings.issuer();
            URI where = URI.create((root.endsWith("/") ? root : root + "/") + ".well-known/openid-configuration");
            JsonNode told = json(HttpRequest.newBuilder(where).GET());
            if (!told.path("issuer").asText("").equals(root)) {
                throw away("calls itself '" + told.path("issuer").asText("") + "'; set api.oidc.issuer to that", null);
            }
            known = new Description(
                    address(told, "authorization_endpoint"),
                    address(told, "token_endpoint"),
                    address(told, "jwks_uri"));
            description = known;
        }
        return known;
    }

    /** Returns the keys; asks for them again if none of them has that identifier. */
    synchronized List<JsonWebKey> keys(@Nullable String keyId) {
        boolean isKnown = keys.stream().anyMatch(key -> keyId == null || keyId.equals(key.getKeyId()));
        long now = nanoTime.getAsLong();
        if (!isKnown && (!hasAsked || now - askedNanos >= ASK_AGAIN_NANOS)) {
            if (absence != null && now - absentNanos < AWAY_NANOS) {
                throw absence;
            }
            try {
                keys = toldKeys();
                absence = null;
                hasAsked = true;
                askedNanos = now;
            } catch (IssuerAwayException e) {
                absence = e;
                absentNanos = nanoTime.getAsLong();
                throw e;
            }
        }
        return keys;
    }

    private List<JsonWebKey> toldKeys() {
        String told = text(HttpRequest.newBuilder(description().keys()).GET());
        try {
            return new JsonWebKeySet(told).getJsonWebKeys();
        } catch (JoseException e) {
            throw away("sends keys that cannot be read", e);
        }
    }

    /**
     * Exchanges the code of a login for a token.
     *
     * @return the answer of the issuer as it is, with its status
     */
    HttpResponse<String> exchange(String form) {
        return answer(HttpRequest.newBuilder(description().token())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(form)));
    }

    private URI address(JsonNode told, String name) {
        String text = told.path(name).asText("");
        if (!text.startsWith("http://") && !text.startsWith("https://")) {
            throw away("does not tell its " + name, null);
        }
        return URI.create(text);
    }

    private JsonNode json(HttpRequest.Builder request) {
        try {
            return JSON.readTree(text(request));
        } catch (IOException e) {
            throw away("does not answer in JSON", e);
        }
    }

    private String text(HttpRequest.Builder request) {
        HttpResponse<String> answer = answer(request);
        if (answer.statusCode() != 200 || answer.body().length() > MAX_BYTES) {
            throw away("answers with status " + answer.statusCode(), null);
        }
        return answer.body();
    }

    private HttpResponse<String> answer(HttpRequest.Builder request) {
        try {
            return http.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw away("does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw away("was not waited for", e);
        }
    }

    private IssuerAwayException away(String what, @Nullable Exception cause) {
        return new IssuerAwayException(
                "the issuer " + settings.issuer() + " " + what,
                Objects.requireNonNullElseGet(cause, IllegalStateException::new));
    }
}
