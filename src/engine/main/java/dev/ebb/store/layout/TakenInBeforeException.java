package dev.ebb.store.layout;

/** A record has come that the state remembers as taken in; nothing was changed. The message says what to do. */
public final class TakenInBeforeException extends RuntimeException {

    TakenInBeforeException(String topic, long offset, long next) {
        super("offset " + offset + " of " + topic + " was already taken in, like everything before " + next
                + ": the consumer group's offsets were lost or reset. Stop all instances and run"
                + " 'ebb offsets restore'; see 'Offsets' in docs/operations.md");
    }
}
