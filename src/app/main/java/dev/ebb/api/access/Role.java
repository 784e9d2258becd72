package dev.ebb.api.access;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Rights of a caller. */
public enum Role {
    /** Reads everything but payloads: that there is one and how big it is, never its bytes. */
    VIEWER,
    /**
     * May do what a viewer may, reads payloads too, sends and changes events, sweeps, plans, and asks for bulk deletes that pass nothing over.
     */
    OPERATOR,
    /** May do what a viewer may, and erases events that match: for one who answers requests to forget. */
    ERASER,
    /**
     * May do what a viewer may, and brings back what was deleted, with the hold that it takes or the former policy: for one who
     * mends mistakes.
     */
    RESTORER,
    /**
     * May do all that the others may, changes policies and holds, confirms what the brake holds back, erases what is named, and may
     * use force.
     */
    ADMIN;

    /** Returns true if a caller of this role has the rights of that one. */
    public boolean covers(Role needed) {
        return this == needed || this == ADMIN || needed == VIEWER;
    }

    /** The role of that name, in any case. */
    public static Optional<Role> parse(String text) {
        return Stream.of(values())
                .filter(role -> role.toString().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** Name of the role in files and on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
