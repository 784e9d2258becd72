package dev.ebb.devstack.guard;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.rest.ConnectRestExtension;
import org.apache.kafka.connect.rest.ConnectRestExtensionContext;

/**
 * The {@linkplain LoopbackRules rules} for a Connect worker, which loads this class through {@code
 * rest.extension.classes}.
 */
public final class ConnectGuard implements ConnectRestExtension {

    @Override
    public void register(ConnectRestExtensionContext context) {
        context.configurable().register(new Filter());
    }

    @Override
    public void configure(Map<String, ?> settings) {}

    @Override
    public String version() {
        return "1";
    }

    @Override
    public void close() {}

    /** Runs before the worker looks at the path. */
    @PreMatching
    private static final class Filter implements ContainerRequestFilter {

        @Override
        public void filter(ContainerRequestContext request) {
            LoopbackRules.refusal(
                            values(request, "Host"),
                            values(request, "Origin"),
                            request.getHeaderString("Sec-Fetch-Site"),
                            LoopbackRules.isRead(request.getMethod()))
                    .ifPresent(reason -> request.abortWith(refused(reason)));
        }

        private static List<String> values(ContainerRequestContext request, String header) {
            return request.getHeaders().getOrDefault(header, List.of());
        }

        private static Response refused(String reason) {
            return Response.status(LoopbackRules.FORBIDDEN)
                    .type(MediaType.TEXT_PLAIN_TYPE)
                    .entity(reason)
                    .build();
        }
    }
}
