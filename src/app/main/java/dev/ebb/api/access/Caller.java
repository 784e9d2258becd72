package dev.ebb.api.access;

import dev.ebb.domain.Snapshot;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sender of a request.
 *
 * @param name the name of the token or of the person; null where no tokens are required
 * @param roles the rights of the caller; at least one
 */
public record Caller(@Nullable String name, Set<Role> roles) {

    /** Any caller, where no tokens are required. */
    public static final Caller ANYONE = new Caller(null, Role.ADMIN);

    public Caller {
        roles = Snapshot.of(EnumSet.copyOf(roles));
    }

    Caller(@Nullable String name, Role role) {
        this(name, Set.of(role));
    }

    /** Returns true if one of the roles has all rights of the needed one. */
    public boolean covers(Role needed) {
        return roles.stream().anyMatch(role -> role.covers(needed));
    }

    /** Returns the names of the roles, separated by commas. */
    public String roleNames() {
        return roles.stream().sorted().map(Role::toString).collect(Collectors.joining(", "));
    }
}
