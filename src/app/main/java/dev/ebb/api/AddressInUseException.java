package dev.ebb.api;

import java.io.Serial;

/** Something listens already where the API or its probes should. */
public final class AddressInUseException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** @param setting the one that names the address */
    AddressInUseException(String address, String setting, Throwable cause) {
        super(address + " is taken already; stop what listens there, or name another address with " + setting, cause);
    }
}
