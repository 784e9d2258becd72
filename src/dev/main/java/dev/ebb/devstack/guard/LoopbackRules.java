package dev.ebb.devstack.guard;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules for requests to a service on loopback. The service asks for no password, and a browser on the same machine
 * sends whatever a page tells it to: from a page of another site, or under a name of that site that resolves to this
 * machine. Stateless.
 */
final class LoopbackRules {

    /** Status of the answer to a refused request. */
    static final int FORBIDDEN = 403;

    private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String SCHEME = "http://";

    private LoopbackRules() {}

    /**
     * Returns the reason why the request is refused; empty if it may pass.
     *
     * @param hosts all values of the header Host; a missing one is refused, as every client sends it
     * @param origins all values of the header Origin; programs send none
     * @param site the value of Sec-Fetch-Site, in which browsers name a request from a page of another site; null if
     *     there is none
     * @param isRead true if the method is GET, HEAD or OPTIONS
     */
    static Optional<String> refusal(List<String> hosts, List<String> origins, @Nullable String site, boolean isRead) {
        if (hosts.size() != 1 || !NAMES.contains(nameOf(hosts.get(0)))) {
            return Optional.of("this service is called localhost or 127.0.0.1, and not " + hosts);
        }
        String own = SCHEME + hosts.get(0);
        if (!origins.stream().allMatch(own::equalsIgnoreCase)) {
            return Optional.of("pages of " + origins + " may not call this service");
        }
        return "cross-site".equals(site) && !isRead
                ? Optional.of("pages of other sites may not call this service")
                : Optional.empty();
    }

    /** Returns true if the method, by its definition, changes nothing. */
    static boolean isRead(String method) {
        return Set.of("GET", "HEAD", "OPTIONS").contains(method);
    }

    private static String nameOf(String host) {
        int port = host.lastIndexOf(':');
        String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
        return name.toLowerCase(Locale.ROOT);
    }
}
