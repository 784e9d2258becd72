package dev.ebb.api.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/** Rules that a request must meet before it is handled. Stateless. */
public final class RequestRules implements HttpConfiguration.Customizer {

    /** Javalin takes the method from this header, which bypasses a proxy that allows only some methods. */
    private static final String OVERRIDE = "X-HTTP-Method-Override";

    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        HttpFields headers = request.getHeaders();
        // HTTP/1.0 has no chunks: a proxy of that version and this server would find the end of the request in
        // different places.
        if (headers.contains(HttpHeader.TRANSFER_ENCODING) && isOld(request)) {
            throw new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400, "HTTP/1.0 has no Transfer-Encoding");
        }
        return headers.contains(OVERRIDE) ? new WithoutOverride(request) : request;
    }

    private static boolean isOld(Request request) {
        return request.getConnectionMetaData().getHttpVersion().getVersion() < HttpVersion.HTTP_1_1.getVersion();
    }

    private static final class WithoutOverride extends Request.Wrapper {

        private final HttpFields headers;

        WithoutOverride(Request request) {
            super(request);
            headers = HttpFields.build(request.getHeaders()).remove(OVERRIDE).asImmutable();
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }
    }
}
