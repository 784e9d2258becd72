package dev.ebb.domain.retention;

/** What becomes of an event, and why. */
public sealed interface Decision {

    /** Whether the event goes. */
    boolean isRemove();

    /** It stays. */
    record Keep(KeepReason reason) implements Decision {
        @Override
        public boolean isRemove() {
            return false;
        }
    }

    /** It goes. */
    record Remove(RemovalCause cause) implements Decision {
        @Override
        public boolean isRemove() {
            return true;
        }
    }
}
