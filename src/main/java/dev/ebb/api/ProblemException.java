package dev.ebb.api;

import dev.ebb.api.ProblemView.Fault;
import java.util.List;

/** Ends a request with an error that its sender should read. */
final class ProblemException extends RuntimeException {

    private final ProblemKind kind;
    private final transient List<Fault> faults;

    ProblemException(ProblemKind kind, String detail) {
        this(kind, detail, List.of());
    }

    ProblemException(ProblemKind kind, String detail, List<Fault> faults) {
        super(detail);
        this.kind = kind;
        this.faults = List.copyOf(faults);
    }

    static ProblemException notFound(String what) {
        return new ProblemException(ProblemKind.NOT_FOUND, what);
    }

    static ProblemException badRequest(String detail) {
        return new ProblemException(ProblemKind.BAD_REQUEST, detail);
    }

    ProblemView view() {
        return ProblemView.of(kind, String.valueOf(getMessage()), faults);
    }
}
