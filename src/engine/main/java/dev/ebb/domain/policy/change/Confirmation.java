package dev.ebb.domain.policy.change;

/**
 * The confirmation of a change of policies that the brake held back (O-8).
 *
 * @param actor the person who confirmed it; empty if unknown
 * @param reason the reason for it; empty if unknown
 */
public record Confirmation(String actor, String reason) {}
