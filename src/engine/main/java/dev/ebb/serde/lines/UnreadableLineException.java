package dev.ebb.serde.lines;

/** No record can be made from a line. Never leaves this package. */
final class UnreadableLineException extends RuntimeException {

    UnreadableLineException(String message) {
        super(message);
    }

    /**
     * Leaves the stack trace out: a broken file can have millions of such lines, and their place in our code explains
     * nothing.
     */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
