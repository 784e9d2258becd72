package dev.ebb.store.state;

import dev.ebb.store.layout.Position;

/**
 * The line from which on {@code keepLast} keeps the eligible events of a stream.
 *
 * @param keep the number of events to keep, at least 1
 * @param position the place of the first kept event
 */
public record KeepLine(int keep, Position position) {}
