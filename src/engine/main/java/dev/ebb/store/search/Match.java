package dev.ebb.store.search;

import dev.ebb.domain.event.StreamName;

/**
 * An event that met the conditions of a search when it was examined.
 *
 * @param storedAt distinguishes the event from others that have or had its id; epoch milliseconds
 */
public record Match(StreamName stream, String id, long storedAt) {}
