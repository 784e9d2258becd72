package dev.ebb.topology.undo;

/**
 * Events that caps take from a stream as it is, whether or not anything comes back: the next sweep comes to them. Immutable.
 *
 * @param events number of these events, without those that go for their bytes alone: how many these are is not known
 * @param bytesOver bytes by which the stream is over its caps, if they all can go
 * @param isRestGuarded true if the stream is still over its caps behind that, so that a guard keeps all that is left
 */
record CapBacklog(long events, long bytesOver, boolean isRestGuarded) {

    static final CapBacklog NONE = new CapBacklog(0, 0, false);
}
