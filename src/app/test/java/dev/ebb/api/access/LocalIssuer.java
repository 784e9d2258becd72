package dev.ebb.api.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.domain.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;

/**
 * An OpenID Connect issuer on loopback with keys of its own: discovery, keys, client credentials, and the code flow with
 * PKCE, whose login succeeds at once. Thread-safe.
 */
public final class LocalIssuer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final AtomicInteger keysAsked = new AtomicInteger();
    private volatile boolean isOutOfOrder;
    private volatile RsaJsonWebKey key = newKey();
    private volatile Map<String, Object> person = Map.of("sub", "0-eva", "preferred_username", "eva");

    public LocalIssuer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "issuer");
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, 200, discovery()));
        server.createContext("/keys", this::keys);
        server.createContext("/token", this::token);
        server.createContext("/authorize", this::authorize);
        server.start();
    }

    /** Returns the identifier of this issuer, which is its address. */
    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the address at which a program gets a token with its own secret. */
    public URI tokenEndpoint() {
        return URI.create(issuer() + "/token");
    }

    /** Returns the address of the public keys. */
    public URI keysEndpoint() {
        return URI.create(issuer() + "/keys");
    }

    /** Returns the number of times that the keys were asked for. */
    public int keysAsked() {
        return keysAsked.get();
    }

    /** Answers questions for its keys with an error, or with them again. */
    public void outOfOrder(boolean isSo) {
        isOutOfOrder = isSo;
    }

    /** Makes these the claims of the person who logs in from now on. */
    public void logsIn(Map<String, Object> claims) {
        person = Map.copyOf(claims);
    }

    /** Signs with another key from now on, and publishes that one alone. */
    public void renewKey() {
        key = newKey();
    }

    /** Returns a token with these claims, beside issuer, time of issue and an end in an hour; null leaves one out. */
    public String sign(Map<String, Object> claims) {
        return sign(claims, AlgorithmIdentifiers.RSA_USING_SHA256);
    }

    /** Returns a token that is signed by that algorithm. */
    public String sign(Map<String, Object> claims, String algorithm) {
        Map<String, Object> all = new HashMap<>();
        long now = Instant.now().getEpochSecond();
        all.put("iss", issuer());
        all.put("iat", now);
        all.put("exp", now + 3600);
        all.put("jti", UUID.randomUUID().toString());
        all.putAll(claims);
        all.values().removeIf(java.util.Objects::isNull);
        try {
            JsonWebSignature signature = new JsonWebSignature();
            signature.setPayload(JSON.writeValueAsString(all));
            signature.setAlgorithmHeaderValue(algorithm);
            signature.setKeyIdHeaderValue(key.getKeyId());
            signature.setHeader("typ", "JWT");
            if (algorithm.equals(AlgorithmIdentifiers.NONE)) {
                signature.setAlgorithmConstraints(org.jose4j.jwa.AlgorithmConstraints.NO_CONSTRAINTS);
            } else {
                signature.setKey(key.getPrivateKey());
            }
            return signature.getCompactSerialization();
        } catch (JoseException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, Object> discovery() {
        return Map.of(
                "issuer", issuer(),
                "authorization_endpoint", issuer() + "/authorize",
                "token_endpoint", issuer() + "/token",
                "jwks_uri", issuer() + "/keys",
                "code_challenge_methods_supported", List.of("S256"));
    }

    private void keys(HttpExchange exchange) throws IOException {
        keysAsked.incrementAndGet();
        String keys = new JsonWebKeySet(List.<JsonWebKey>of(key)).toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY);
        answer(exchange, isOutOfOrder ? 503 : 200, JSON.readValue(keys, Map.class));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query = form(String.valueOf(exchange.getRequestURI().getRawQuery()));
        String code = UUID.randomUUID().toString();
        codes.put(code, query);
        String state = query.get("state");
        String to = query.get("redirect_uri") + "?code=" + code + "&state=" + state;
        exchange.getResponseHeaders().add("Location", to);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        // A public client sends its request from a page of another origin.
        exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
        Map<String, String> form = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        if ("client_credentials".equals(form.get("grant_type"))) {
            String client = client(exchange);
            String token = sign(Map.of("sub", client, "aud", "kafka"));
            answer(exchange, 200, Map.of("access_token", token, "token_type", "Bearer", "expires_in", 3600));
            return;
        }
        Map<String, String> asked = codes.remove(String.valueOf(form.get("code")));
        if (asked == null
                || !challengeOf(String.valueOf(form.get("code_verifier"))).equals(asked.get("code_challenge"))
                || !String.valueOf(asked.get("redirect_uri")).equals(form.get("redirect_uri"))) {
            answer(exchange, 400, Map.of("error", "invalid_grant"));
            return;
        }
        Map<String, Object> claims = new HashMap<>(person);
        claims.putIfAbsent("aud", String.valueOf(asked.get("client_id")));
        answer(exchange, 200, Map.of("access_token", sign(claims), "token_type", "Bearer", "expires_in", 3600));
    }

    private static String challengeOf(String verifier) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Sha256.of(verifier.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Returns the name of the client, whose secret is its name and "-secret". */
    private static String client(HttpExchange exchange) throws IOException {
        String header = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        String pair = new String(Base64.getDecoder().decode(header.substring("Basic ".length())));
        String name = pair.substring(0, pair.indexOf(':'));
        if (!pair.equals(name + ":" + name + "-secret")) {
            answer(exchange, 401, Map.of("error", "invalid_client"));
            throw new IOException("a wrong secret of " + name);
        }
        return name;
    }

    private static Map<String, String> form(String text) {
        return Stream.of(text.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> decoded(pair.length < 2 ? "" : pair[1])));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static RsaJsonWebKey newKey() {
        try {
            RsaJsonWebKey made = RsaJwkGenerator.generateJwk(2048);
            made.setKeyId(UUID.randomUUID().toString());
            made.setUse("sig");
            made.setAlgorithm(AlgorithmIdentifiers.RSA_USING_SHA256);
            return made;
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
