package dev.ebb.store;

/**
 * An event that is stored under an id, and where it lies. Good until the store changes.
 *
 * @param segment its execution
 * @param event what is known of it
 * @param location where it lies
 */
public record Found(Segment segment, EventHeader event, Location location) {}
