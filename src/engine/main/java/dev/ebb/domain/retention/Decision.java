package dev.ebb.domain.retention;

/** A decision to keep or to remove an event, with its reason. */
public sealed interface Decision {

    /** Returns true if the event goes. */
    boolean isRemove();

    /** The event stays. */
    record Keep(KeepReason reason) implements Decision {
        @Override
        public boolean isRemove() {
            return false;
        }
    }

    /** The event goes. */
    record Remove(RemovalCause cause) implements Decision {
        @Override
        public boolean isRemove() {
            return true;
        }
    }
}
