package dev.ebb.domain.policy;

/**
 * A policy in force and its version.
 *
 * @param policy the policy as declared
 * @param version the offset of the record on the topic of accepted policies; grows with every change
 */
public record VersionedPolicy(RetentionPolicy policy, long version) {}
