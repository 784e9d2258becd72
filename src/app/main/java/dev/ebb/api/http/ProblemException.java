package dev.ebb.api.http;

import dev.ebb.wire.ProblemView;
import dev.ebb.wire.ProblemView.Fault;
import java.util.List;

/** Ends a request with an error that is meant for the caller. */
public final class ProblemException extends RuntimeException {

    private final ProblemKind kind;
    private final transient List<Fault> faults;

    public ProblemException(ProblemKind kind, String detail) {
        this(kind, detail, List.of());
    }

    public ProblemException(ProblemKind kind, String detail, List<Fault> faults) {
        super(detail);
        this.kind = kind;
        this.faults = List.copyOf(faults);
    }

    public static ProblemException notFound(String what) {
        return new ProblemException(ProblemKind.NOT_FOUND, what);
    }

    public static ProblemException badRequest(String detail) {
        return new ProblemException(ProblemKind.BAD_REQUEST, detail);
    }

    /** Returns true if the request asks for something that does not exist. */
    public boolean isNotFound() {
        return kind == ProblemKind.NOT_FOUND;
    }

    /** Returns this problem with more to its message. */
    public ProblemException with(String more) {
        return more.isEmpty() ? this : new ProblemException(kind, getMessage() + more, faults);
    }

    public ProblemView view() {
        return kind.problem(String.valueOf(getMessage()), faults);
    }
}
