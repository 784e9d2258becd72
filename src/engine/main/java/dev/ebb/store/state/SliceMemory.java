package dev.ebb.store.state;

/**
 * Memory of work in slices, kept with a stream or an execution from one slice to the next, so that it disappears with
 * its owner. Only the work itself knows its content.
 */
public interface SliceMemory {}
