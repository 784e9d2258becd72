package dev.ebb.topology.policy;

import java.util.function.Supplier;

/**
 * The newest policies that all streams of a task follow. The policies in force may change in the middle of a slice, before
 * the streams are led to them; work that asked for the newest ones then would delete from streams that still follow the
 * former ones (T-3). Thread-safe.
 */
public final class FollowedPolicies implements Supplier<PolicyView> {

    private volatile PolicyView view;

    /** @param view the policies by which the stores were opened */
    public FollowedPolicies(PolicyView view) {
        this.view = view;
    }

    /** Notes that all streams follow these policies. */
    public void follow(PolicyView newest) {
        view = newest;
    }

    @Override
    public PolicyView get() {
        return view;
    }
}
