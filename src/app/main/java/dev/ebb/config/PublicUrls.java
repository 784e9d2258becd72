package dev.ebb.config;

import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Addresses of the API as browsers see it, where it is behind a proxy. Headers such as {@code X-Forwarded-Host}
 * are believed from no proxy, since any caller can send them. Immutable.
 *
 * @param origins each as a browser names the origin of a page: scheme, host and port in lower case; without the port if
 *     it is the default of the scheme
 */
public record PublicUrls(Set<String> origins) {

    private static final String FAULT =
            "must be addresses such as https://ebb.example.com, without a path, separated by commas";
    private static final int TLS_PORT = 443;
    private static final int PORT = 80;
    private static final int MAX_PORT = 65_535;

    public PublicUrls {
        origins = Set.copyOf(origins);
    }

    /**
     * Returns the addresses of a list.
     *
     * @param list separated by commas; empty for none
     * @throws IllegalArgumentException if an element is no such address; the message is the end of a sentence
     */
    static PublicUrls parse(String list) {
        List<String> words = list.isEmpty() ? List.of() : List.of(list.split(",", -1));
        return new PublicUrls(words.stream()
                .map(word -> origin(word.strip().toLowerCase(Locale.ROOT)))
                .collect(Collectors.toSet()));
    }

    /** Returns the host names of the addresses. */
    public Collection<String> hosts() {
        Set<String> hosts = new TreeSet<>();
        origins.forEach(origin -> hosts.add(URI.create(origin).getHost()));
        return hosts;
    }

    private static String origin(String word) {
        URI uri = uri(word.endsWith("/") ? word.substring(0, word.length() - 1) : word);
        boolean isTls = "https".equals(uri.getScheme());
        boolean isHttp = isTls || "http".equals(uri.getScheme());
        boolean hasMore = uri.getRawPath() == null
                || !uri.getRawPath().isEmpty()
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null
                || uri.getRawUserInfo() != null;
        if (!isHttp || hasMore || uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            throw new IllegalArgumentException(FAULT);
        }
        boolean isUsual = uri.getPort() < 0 || uri.getPort() == (isTls ? TLS_PORT : PORT);
        return uri.getScheme() + "://" + uri.getHost() + (isUsual ? "" : ":" + uri.getPort());
    }

    private static URI uri(String word) {
        try {
            return URI.create(word);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(FAULT, e);
        }
    }
}
