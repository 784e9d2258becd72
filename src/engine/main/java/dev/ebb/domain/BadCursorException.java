package dev.ebb.domain;

/** Signals a cursor that no page has returned. */
public final class BadCursorException extends IllegalArgumentException {

    public BadCursorException() {
        super("the cursor does not come from a page");
    }
}
