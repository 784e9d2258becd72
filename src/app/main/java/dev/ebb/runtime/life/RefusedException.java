package dev.ebb.runtime.life;

/** The instance does not start until an operator has mended something; the message says what and how. */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
