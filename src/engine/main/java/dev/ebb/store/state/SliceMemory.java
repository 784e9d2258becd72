package dev.ebb.store.state;

/**
 * Memory of work in slices, kept with a stream or an execution from one slice to the next, so that it goes with them. Only
 * the work itself knows what is inside.
 */
public interface SliceMemory {}
