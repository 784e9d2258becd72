package dev.ebb.api;

import dev.ebb.port.Membership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A group in memory. Thread-safe. */
public final class FakeGroup implements Membership {

    public final List<Member> members = new CopyOnWriteArrayList<>();
    public final Map<String, Heartbeat> heartbeats = new ConcurrentHashMap<>();
    public final List<Member> removed = new CopyOnWriteArrayList<>();
    public volatile String self;
    public volatile Duration interval = Duration.ofSeconds(5);

    /** Adds a member with a fixed name and one thread. */
    public FakeGroup add(String name, Integer... partitions) {
        members.add(new Member(name, true, Set.of(name + "-1"), Set.of(), new TreeSet<>(List.of(partitions))));
        return this;
    }

    @Override
    public String self() {
        return self;
    }

    @Override
    public List<Member> members() {
        return new ArrayList<>(members);
    }

    @Override
    public Map<String, Heartbeat> heartbeats() {
        return Map.copyOf(heartbeats);
    }

    @Override
    public Duration heartbeatInterval() {
        return interval;
    }

    @Override
    public void remove(Member member) {
        members.remove(member);
        removed.add(member);
    }
}
