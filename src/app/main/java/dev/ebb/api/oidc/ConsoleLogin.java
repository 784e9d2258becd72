package dev.ebb.api.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.api.access.IssuerAwayException;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of the console by the code flow with PKCE: the page sends the browser to the issuer, and hands the code with
 * which it comes back to this instance, which exchanges it for a token. So the page speaks to its own origin alone, and
 * the issuer need not allow others. Keeps nothing. Thread-safe.
 */
public final class ConsoleLogin {

    /** The path of both handlers; the console's own, which any caller may use. */
    public static final String PATH = "/console/login";

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleLogin.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_BODY = 16 << 10;

    private final OidcSettings settings;
    private final Issuer issuer;

    ConsoleLogin(OidcSettings settings, Issuer issuer) {
        this.settings = settings;
        this.issuer = issuer;
    }

    /** @param address the issuer's page of login; null if the console has no login of this kind */
    record Offer(@org.jspecify.annotations.Nullable String address, String client) {}

    /** The proof of a login: the code, the secret that began it, and the address to which the issuer sent the browser. */
    record Proof(String code, String verifier, String redirect) {}

    /** @param token the token of the person */
    record Entered(String token) {}

    /** Tells the page that the console has no such login. */
    public static void none(Context ctx) {
        ApiJson.answer(ctx, new Offer(null, ""));
    }

    /** Tells the page where people log in. */
    public void offer(Context ctx) {
        try {
            ApiJson.answer(ctx, new Offer(issuer.description().login().toString(), settings.client()));
        } catch (IssuerAwayException e) {
            throw new ProblemException(ProblemKind.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    /** Exchanges a code for a token. */
    public void enter(Context ctx) {
        Proof proof = proof(ctx);
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", proof.code);
        form.put("code_verifier", proof.verifier);
        form.put("redirect_uri", proof.redirect);
        form.put("client_id", settings.client());
        if (!settings.clientSecret().isEmpty()) {
            form.put("client_secret", settings.clientSecret());
        }
        try {
            HttpResponse<String> answer = issuer.exchange(encoded(form));
            String token = token(answer);
            if (answer.statusCode() != 200 || token.isEmpty()) {
                LOG.atWarn().addKeyValue("status", answer.statusCode()).log("the issuer refused a login");
                throw new ProblemException(
                        ProblemKind.UNAUTHORIZED,
                        "the issuer did not accept the login (status " + answer.statusCode() + "); log in once more");
            }
            ApiJson.answer(ctx, new Entered(token));
        } catch (IssuerAwayException e) {
            throw new ProblemException(ProblemKind.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    private static Proof proof(Context ctx) {
        byte[] body = ctx.bodyAsBytes();
        if (body.length <= MAX_BODY) {
            try {
                JsonNode json = JSON.readTree(body);
                Proof proof = new Proof(
                        json.path("code").asText(""),
                        json.path("verifier").asText(""),
                        json.path("redirect").asText(""));
                if (!proof.code.isEmpty() && !proof.verifier.isEmpty() && !proof.redirect.isEmpty()) {
                    return proof;
                }
            } catch (IOException e) {
                throw ProblemException.badRequest("the body is no JSON");
            }
        }
        throw ProblemException.badRequest("the body must have a code, its verifier and the address of the page");
    }

    private static String token(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body()).path("access_token").asText("");
        } catch (IOException e) {
            return "";
        }
    }

    private static String encoded(Map<String, String> form) {
        return form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
