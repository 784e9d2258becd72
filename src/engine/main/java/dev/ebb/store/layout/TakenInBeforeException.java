package dev.ebb.store.layout;

/** Thrown for a record that the state remembers as taken in; nothing was changed. The message names the remedy. */
public final class TakenInBeforeException extends RuntimeException {

    TakenInBeforeException(String topic, long offset, long next) {
        super("offset " + offset + " of " + topic + " was already taken in, like everything before " + next
                + ": the consumer group's offsets were lost or reset. Stop all instances and run"
                + " 'ebb offsets restore'; see 'Offsets' in docs/operations/outages.md");
    }
}
