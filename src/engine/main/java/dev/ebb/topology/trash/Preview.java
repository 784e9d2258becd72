package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;

/**
 * A look at the events that an undo may mean, on the thread that reads them for the first time. It sees more than will come
 * back: also events that were taken out since, or of which there is a newer deletion. If it tells enough, they are not read
 * again. Its state passes from that thread to the one of the task with the reading.
 */
public interface Preview {

    /**
     * Sees an event that is meant.
     *
     * @param value what the trash keeps of it, which may be unreadable
     */
    void see(StreamName stream, byte[] value);

    /** Returns true if nothing more needs to be known. */
    boolean isEnough();

    /** Sees nothing, and has never enough. */
    Preview NONE = new Preview() {

        @Override
        public void see(StreamName stream, byte[] value) {}

        @Override
        public boolean isEnough() {
            return false;
        }
    };
}
