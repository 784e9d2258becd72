package dev.ebb.runtime.life;

/**
 * Signals that the instance does not start until an operator has corrected something; the message names the fault and
 * the remedy.
 */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
