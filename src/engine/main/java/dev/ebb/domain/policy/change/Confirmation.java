package dev.ebb.domain.policy.change;

/**
 * Somebody has let a change of policies through that the brake held back (O-8).
 *
 * @param actor who; empty if unknown
 * @param reason why; empty if unknown
 */
public record Confirmation(String actor, String reason) {}
