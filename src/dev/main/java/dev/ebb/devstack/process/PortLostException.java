package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;

/** Thrown when a service ended or did not answer, and another process listens on its port. */
public final class PortLostException extends DevStackException {
    private static final long serialVersionUID = 1;

    private final Service service;

    PortLostException(Service service, String message) {
        super(message);
        this.service = service;
    }

    public Service service() {
        return service;
    }
}
