package dev.ebb.domain.policy;

/**
 * A value and where it comes from.
 *
 * @param value the value in force
 * @param source the record or built-in default that says so
 */
public record Sourced<T>(T value, PolicySource source) {}
