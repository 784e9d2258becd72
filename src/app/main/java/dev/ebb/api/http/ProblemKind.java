package dev.ebb.api.http;

import dev.ebb.port.NotReadyException;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.ProblemView.Fault;
import java.util.List;
import java.util.Locale;

/** The kinds of errors of a request, with the HTTP status of each. */
public enum ProblemKind {
    BAD_REQUEST(400, "Bad request"),
    PEER_REFUSED(401, "Not an instance of this application"),
    UNAUTHORIZED(401, "Unauthorized"),
    FORBIDDEN(403, "Forbidden"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    CONFLICT(409, "Conflict"),
    TOO_LARGE(413, "Too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
    OTHER_INSTANCE(421, "Kept by another instance"),
    REFUSED(422, "Refused"),
    TOO_MANY_REQUESTS(429, "Too many requests"),
    INTERNAL(500, "Internal error"),
    UNAVAILABLE(502, "A needed system did not answer"),
    NOT_READY(503, "Not ready");

    private final int status;
    private final String title;

    ProblemKind(int status, String title) {
        this.status = status;
        this.title = title;
    }

    public int status() {
        return status;
    }

    /** Returns the identifier of the kind for programs; nothing can be fetched under it. */
    public String type() {
        return "urn:ebb:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a problem of this kind with one fault. */
    public ProblemView problem(String detail) {
        return problem(detail, List.of());
    }

    ProblemView problem(String detail, List<Fault> faults) {
        return new ProblemView(type(), title, status, detail, faults, List.of());
    }

    /** Returns the problem of a caller that has to wait. */
    public static ProblemView problem(NotReadyException e) {
        return new ProblemView(
                NOT_READY.type(),
                NOT_READY.title,
                NOT_READY.status,
                String.valueOf(e.getMessage()),
                List.of(),
                e.restoring());
    }
}
