package dev.ebb.api;

import java.io.Serial;

/** Thrown when the address of the API or of its probes is already in use. */
public final class AddressInUseException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** @param setting the name of the setting that holds the address */
    AddressInUseException(String address, String setting, Throwable cause) {
        super(
                address + " is already in use; stop the program that listens there, or set another address with "
                        + setting,
                cause);
    }
}
