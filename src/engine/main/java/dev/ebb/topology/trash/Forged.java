package dev.ebb.topology.trash;

import java.util.List;

/**
 * Records on the topic of the trash that a reading has refused: the task of the partition has not sent them, or has
 * taken them out before. Immutable.
 *
 * @param records their number
 * @param first the keys of the first of them
 */
public record Forged(long records, List<TrashKey> first) {

    /** No record was refused. */
    public static final Forged NONE = new Forged(0, List.of());

    public Forged {
        first = List.copyOf(first);
    }
}
