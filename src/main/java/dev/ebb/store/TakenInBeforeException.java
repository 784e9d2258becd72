package dev.ebb.store;

/** A record has come that the state remembers to have taken in; nothing was changed. The message says what to do. */
public final class TakenInBeforeException extends RuntimeException {

    TakenInBeforeException(String topic, long offset, long next) {
        super("the record at offset " + offset + " of " + topic + " has been taken in before, as all before " + next
                + ": the offsets of the consumer group were lost or set back. Stop all instances and run"
                + " 'ebb offsets restore'; docs/operations.md, 'Offsets', says more");
    }
}
