package dev.ebb.port;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The group that shares the partitions, as the broker knows it. Thread-safe; each call asks the broker. */
public interface Membership {

    /**
     * One member: an instance with all its threads.
     *
     * @param name the fixed name ({@code group.instance.id}), or what stands for it where there is none
     * @param isFixed true if the name is fixed: the broker keeps the place of such a member until its session times out,
     *     and can be asked to remove it
     * @param places the fixed names of its threads; empty without a fixed name
     * @param transactions ids of the transactions of its threads, as far as the names of their clients tell
     * @param partitions the partitions that the broker has assigned to it
     */
    record Member(
            String name,
            boolean isFixed,
            Set<String> places,
            Set<String> transactions,
            SortedSet<Integer> partitions) {}

    /**
     * The last sign that an instance has given to the broker.
     *
     * @param at its time, by the clock of the broker
     * @param member the fixed name of the instance; null if it has none
     */
    record Heartbeat(Instant at, @Nullable String member) {}

    /** Returns the fixed name of this instance; null if it has none. */
    @Nullable
    String self();

    /** Returns the members, by name. */
    List<Member> members();

    /** Returns the last heartbeats of the last minutes, by the address of the instance. */
    Map<String, Heartbeat> heartbeats();

    /** Returns the time between two heartbeats of a living instance. */
    Duration heartbeatInterval();

    /**
     * Ends the open transactions of a dead member, so that its partitions do not wait for their time limit, and removes the
     * member from the group: the others take over its partitions at once.
     */
    void remove(Member member);
}
