package dev.ebb.domain.policy;

/**
 * Name of the policies in force at one moment: with each change that comes into force, one of the numbers grows.
 *
 * @param version the version of the newest record that contributed, or {@link PolicySet#NO_VERSION}; a file counts with
 *     that of its last record
 * @param lateChanges the number of records so far that came into force behind newer ones, and left that version as it
 *     was: those that had waited, at the brake or to be read, and all records of a file but one
 */
public record PolicyEdition(long version, long lateChanges) {

    /** Name of no policies. */
    public static final PolicyEdition NONE = new PolicyEdition(PolicySet.NO_VERSION, 0);

    /** Returns true if a change of the other edition has come into force since this one. */
    public boolean isBefore(PolicyEdition other) {
        return other.version > version || other.lateChanges > lateChanges;
    }

    /** Returns this edition with that version, if it is newer. */
    public PolicyEdition withVersion(long other) {
        return new PolicyEdition(Math.max(version, other), lateChanges);
    }
}
