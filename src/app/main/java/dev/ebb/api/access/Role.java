package dev.ebb.api.access;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Rights of a caller. */
public enum Role {
    /** Reads everything but payloads: sees that there is a payload and its size, never its bytes. */
    VIEWER,
    /**
     * Has the rights of a viewer, reads payloads, sends and changes events, sweeps, plans, and asks for bulk deletes
     * that override nothing.
     */
    OPERATOR,
    /** Has the rights of a viewer, and erases events that match: for people who answer requests to be forgotten. */
    ERASER,
    /**
     * Has the rights of a viewer, and brings back deleted events, together with the hold or the former policy that this
     * takes: for people who mend mistakes.
     */
    RESTORER,
    /**
     * Has the rights of all other roles, changes policies and holds, confirms changes that the brake holds back, erases
     * named things, and may use force.
     */
    ADMIN;

    /** Returns true if this role has all rights of the needed one. */
    public boolean covers(Role needed) {
        return this == needed || this == ADMIN || needed == VIEWER;
    }

    /** Returns the role of that name, whatever its letter case. */
    public static Optional<Role> parse(String text) {
        return Stream.of(values())
                .filter(role -> role.toString().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** Returns the name of the role in files and on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
