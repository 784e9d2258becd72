package dev.ebb.domain.source;

import dev.ebb.domain.event.RejectReason;

/** Carries the fault of a record out of the reading of its parts. */
final class SourceFaultException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final RejectReason reason;
    private final String path;

    SourceFaultException(RejectReason reason, String path, String message) {
        super(message);
        this.reason = reason;
        this.path = path;
    }

    static SourceFaultException type(SourcePath path, String message) {
        return new SourceFaultException(RejectReason.SOURCE_TYPE, path.toString(), message);
    }

    SourceFault at(String source, SourceRecord record) {
        return new SourceFault(reason, source, record.at(), path, String.valueOf(getMessage()));
    }

    /** Omits the stack trace: every record of a topic may end here, and the trace says nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
