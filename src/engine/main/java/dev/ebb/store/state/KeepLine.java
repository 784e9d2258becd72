package dev.ebb.store.state;

import dev.ebb.store.layout.Position;

/**
 * Line above which {@code keepLast} keeps the eligible events of a stream.
 *
 * @param keep number of events that are kept, at least 1
 * @param position the place of the first kept event
 */
public record KeepLine(int keep, Position position) {}
