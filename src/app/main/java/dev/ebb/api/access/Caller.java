package dev.ebb.api.access;

import org.jspecify.annotations.Nullable;

/**
 * Sender of a request.
 *
 * @param name the name of the token; null where no tokens are required
 * @param role the rights of the caller
 */
public record Caller(@Nullable String name, Role role) {

    /** Any caller, where no tokens are required. */
    public static final Caller ANYONE = new Caller(null, Role.ADMIN);
}
