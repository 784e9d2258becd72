package dev.ebb.undo;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.domain.policy.PolicyKey;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A change of a policy in the form {@code SCOPE[@VERSION]}. A name that itself ends with {@code @} and digits needs the
 * version after it.
 *
 * @param policy the scope, or {@code hold:<case>}
 * @param version the version; null for any
 */
record ScopeVersion(String policy, @Nullable Long version) {

    private static final Pattern WITH_VERSION = Pattern.compile("(.+)@(\\d{1,18})", Pattern.DOTALL);

    /** @throws CommandFailure if the scope is not valid */
    static ScopeVersion of(String text) {
        Matcher parts = WITH_VERSION.matcher(text);
        boolean hasVersion = parts.matches();
        String policy = hasVersion ? parts.group(1) : text;
        try {
            return new ScopeVersion(
                    PolicyKey.parse(policy).toString(), hasVersion ? Long.valueOf(parts.group(2)) : null);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--policy: " + e.getMessage());
        }
    }
}
