package dev.ebb.api.access;

import org.jspecify.annotations.Nullable;

/**
 * Sender of a request.
 *
 * @param name the name of the token; null where no tokens are asked for
 * @param role bounds what the caller may do
 */
public record Caller(@Nullable String name, Role role) {

    /** Any caller, where no tokens are asked for. */
    public static final Caller ANYONE = new Caller(null, Role.ADMIN);
}
