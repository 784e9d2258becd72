package dev.ebb.devstack;

/** A service ended or did not answer, and somebody else listens on its port. */
final class PortLostException extends DevStackException {
    private static final long serialVersionUID = 1;

    private final Service service;

    PortLostException(Service service, String message) {
        super(message);
        this.service = service;
    }

    Service service() {
        return service;
    }
}
