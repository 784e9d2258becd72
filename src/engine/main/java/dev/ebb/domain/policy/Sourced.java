package dev.ebb.domain.policy;

/**
 * A value and its origin.
 *
 * @param value the value in force
 * @param source the record or built-in default that set the value
 */
public record Sourced<T>(T value, PolicySource source) {}
