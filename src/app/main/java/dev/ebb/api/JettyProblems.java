package dev.ebb.api;

import dev.ebb.api.door.SecurityHeaders;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.wire.ProblemView;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Turns refusals by Jetty itself, for instance of a path that is not UTF-8, into problems like all others. */
final class JettyProblems extends ErrorHandler {

    /** Returns true for every method: Jetty would leave the answer to PUT, PATCH and DELETE empty. */
    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        String detail = message == null ? "the request cannot be read" : message;
        ProblemView problem = code == ProblemKind.BAD_REQUEST.status()
                ? ProblemKind.BAD_REQUEST.problem(detail)
                : ProblemView.ofStatus(code, detail);
        byte[] body = ApiJson.bytes(problem);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemView.MEDIA_TYPE);
        SecurityHeaders.ALL.forEach((name, value) -> response.getHeaders().put(name, value));
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
