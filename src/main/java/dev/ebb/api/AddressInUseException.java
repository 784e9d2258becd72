package dev.ebb.api;

import java.io.Serial;

/** Another process listens where the API should. */
public final class AddressInUseException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    AddressInUseException(String address, Throwable cause) {
        super("another process listens on " + address + "; stop it, or name another address with api.listen", cause);
    }
}
