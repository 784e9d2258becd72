package dev.ebb.domain.policy;

import org.jspecify.annotations.Nullable;

/**
 * A policy that came into force or went out of it, for the audit.
 *
 * @param auditId identifies the record
 * @param scope the scope whose policy changed
 * @param version the version of the record that says so
 * @param policy what is in force now; null if the record was removed
 * @param sourceOffset the offset of the record on the topic of policies that asked for it
 * @param actor who; empty if unknown
 * @param reason why; empty if unknown
 * @param changedAtMs when, epoch milliseconds
 */
public record PolicyChange(
        String auditId,
        Scope scope,
        long version,
        @Nullable RetentionPolicy policy,
        long sourceOffset,
        String actor,
        String reason,
        long changedAtMs) {}
