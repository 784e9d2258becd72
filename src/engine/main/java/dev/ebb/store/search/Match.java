package dev.ebb.store.search;

import dev.ebb.domain.event.StreamName;

/**
 * An event that met the conditions of a search when it was looked at.
 *
 * @param storedAt tells it from another event that had, or has, its id; epoch milliseconds
 */
public record Match(StreamName stream, String id, long storedAt) {}
