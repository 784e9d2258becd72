package dev.ebb.api.peers;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.RequestBody;
import dev.ebb.domain.Snapshot;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is passed on to another instance.
 *
 * @param target path and query as they were sent
 * @param headers headers that are sent along with the secret
 * @param body the body; null if there is none
 * @param patience the longest time until the answer; null for the default
 */
public record PeerQuestion(
        String method,
        String target,
        Map<String, String> headers,
        byte @Nullable [] body,
        @Nullable Duration patience) {

    private static final String PATIENCE = "ebb.patience";
    private static final String PARAMETERS = "ebb.parameters";
    private static final String PLAIN = "-._~!$&'()*+,;=:@/?%";

    /** Returns the request as it arrived, with the caller's own authorization. */
    public static PeerQuestion of(Context ctx) {
        String query = query(ctx);
        Map<String, String> headers = new LinkedHashMap<>();
        copy(ctx, "Authorization", headers);
        copy(ctx, "Content-Type", headers);
        copy(ctx, "Accept", headers);
        return new PeerQuestion(
                ctx.method().name(),
                encoded(ctx.req().getRequestURI() + (query.isEmpty() ? "" : "?" + query)),
                headers,
                RequestBody.read(ctx),
                ctx.attribute(PATIENCE));
    }

    /**
     * Allows another instance more time than the default for its answer, as much as this instance would take itself.
     */
    public static void allow(Context ctx, Duration patience) {
        ctx.attribute(PATIENCE, patience);
    }

    /**
     * Sends these parameters to other instances in place of those that the caller set or left out, so that all
     * instances answer the same question, even if it is about now and their clocks differ.
     */
    public static void settle(Context ctx, Map<String, String> parameters) {
        ctx.attribute(PARAMETERS, Snapshot.of(parameters));
    }

    private static String query(Context ctx) {
        String asked = ctx.req().getQueryString();
        Map<String, String> settled = ctx.attribute(PARAMETERS);
        if (settled == null) {
            return asked == null ? "" : asked;
        }
        StringJoiner query = new StringJoiner("&");
        for (String part : asked == null ? new String[0] : asked.split("&")) {
            if (!part.isEmpty() && !settled.containsKey(nameOf(part))) {
                query.add(part);
            }
        }
        new TreeMap<>(settled)
                .forEach((name, value) -> query.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return query.toString();
    }

    private static String nameOf(String part) {
        int end = part.indexOf('=');
        return URLDecoder.decode(end < 0 ? part : part.substring(0, end), StandardCharsets.UTF_8);
    }

    /** Returns this question about these partitions alone. */
    PeerQuestion about(Collection<Integer> partitions) {
        return with(
                PeerAccess.PARTITIONS, partitions.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    /** Returns this question for an instance that has a copy. */
    PeerQuestion ofCopy() {
        return with(PeerAccess.COPY, "true");
    }

    /** Returns another question of this caller, which only reads. */
    PeerQuestion at(String otherTarget) {
        return new PeerQuestion("GET", otherTarget, headers, null, patience);
    }

    /** Returns another question of this caller, with a body of JSON. */
    public PeerQuestion post(String otherTarget, byte[] json) {
        PeerQuestion typed = with("Content-Type", ApiJson.MEDIA_TYPE);
        return new PeerQuestion("POST", otherTarget, typed.headers, json, patience);
    }

    private PeerQuestion with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new PeerQuestion(method, target, more, body, patience);
    }

    private static void copy(Context ctx, String header, Map<String, String> headers) {
        String value = ctx.header(header);
        if (value != null) {
            headers.put(header, value);
        }
    }

    /** Encodes characters that Jetty accepts and a client refuses to send; leaves encoded ones as they are. */
    private static String encoded(String target) {
        StringBuilder text = new StringBuilder(target.length());
        for (byte code : target.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (code & 0xFF);
            boolean isWord = character < 0x80 && Character.isLetterOrDigit(character);
            if (isWord || PLAIN.indexOf(character) >= 0) {
                text.append(character);
            } else {
                text.append('%').append(String.format("%02X", (int) character));
            }
        }
        return text.toString();
    }
}
