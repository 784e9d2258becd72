package dev.ebb.domain.policy;

/**
 * Name of the policies in force at one moment: with each change that comes into force, one of the numbers grows.
 *
 * @param version the version of the newest record that contributed, or {@link PolicySet#NO_VERSION}
 * @param lateChanges the number of changes so far that came into force behind newer ones, and left that version as it
 *     was: those that had waited, at the brake or to be read
 */
public record PolicyEdition(long version, long lateChanges) {

    /** Returns true if a change of the other edition has come into force since this one. */
    public boolean isBefore(PolicyEdition other) {
        return other.version > version || other.lateChanges > lateChanges;
    }
}
