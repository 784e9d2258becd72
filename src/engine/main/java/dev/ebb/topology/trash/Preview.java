package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;

/**
 * Preview of the events that an undo may mean, on the thread that reads them for the first time. It sees more events
 * than will come back: also events that were taken out since, or that have a newer deletion. If it learns enough, the
 * events are not read again. The state of the preview passes from the reading thread to the thread of the task,
 * together with the reading.
 */
public interface Preview {

    /**
     * Sees an event that is meant.
     *
     * @param value the bytes that the trash keeps of it, which may be unreadable
     */
    void see(StreamName stream, byte[] value);

    /** Returns true if nothing more needs to be known. */
    boolean isEnough();

    /** Preview that sees nothing, and never has enough. */
    Preview NONE = new Preview() {

        @Override
        public void see(StreamName stream, byte[] value) {}

        @Override
        public boolean isEnough() {
            return false;
        }
    };
}
