package dev.ebb.domain.policy.change;

import dev.ebb.domain.policy.PolicyKey;
import org.jspecify.annotations.Nullable;

/**
 * A record on the topic of policies that the brake holds back; the former record stays in force (O-8).
 *
 * @param key the policy or hold that it changes
 * @param version its version, which a confirmation names; common to all records that come into force together
 * @param actor the person who asks for it; empty if unknown
 * @param sinceMs the time since which it has been waiting, epoch milliseconds
 * @param why the reason of the wait, for people
 * @param finding number of events that it would delete; null if not known yet
 */
public record WaitingPolicy(
        PolicyKey key,
        long version,
        String actor,
        long sinceMs,
        String why,
        @Nullable BrakeFinding finding) {}
