package dev.ebb.cli.client;

import dev.ebb.cli.outcome.CommandFailure;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * Address of the application's API.
 *
 * @param url the URL, without a slash at its end
 * @param source the origin of the address, for messages
 */
public record ApiAddress(String url, String source) {

    private static final String ANY_ADDRESS = "://0.0.0.0";

    /** Checks the URL and returns the address; a server that listens on all addresses is reached on loopback. */
    public static ApiAddress parse(String text, String source) {
        String url = text.strip().replaceAll("/+$", "").replace(ANY_ADDRESS, "://127.0.0.1");
        try {
            URI uri = new URI(url);
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (isHttp && uri.getHost() != null) {
                return new ApiAddress(url, source);
            }
        } catch (URISyntaxException e) {
            throw refused(text, source);
        }
        throw refused(text, source);
    }

    /** Returns true if requests use TLS. */
    boolean isTls() {
        return url.startsWith("https:");
    }

    private static CommandFailure refused(String text, String source) {
        return CommandFailure.usage(
                "'" + text + "' from " + source + " is not a URL; write for example http://127.0.0.1:8480");
    }
}
