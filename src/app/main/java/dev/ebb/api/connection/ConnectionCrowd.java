package dev.ebb.api.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the open connections, in all and for each address. At the limit, the connection that has done nothing for the
 * longest time, and answers no request, makes room for a new one: idle connections shut no caller out, not even at
 * their own address. Thread-safe.
 */
final class ConnectionCrowd {

    /** Bytes that identify a caller with IPv6, where each caller has a network of its own. */
    private static final int NETWORK_BYTES = 8;

    private final int most;
    private final int mostOfOne;
    private final Map<String, Set<Member>> members = new HashMap<>();
    private int size;

    ConnectionCrowd(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    /** A connection that may have to make room. */
    interface Member {

        /** Returns true if the connection is answering a request. */
        boolean isBusy();

        /** Closes the connection, which leaves the crowd by itself, before or after this method returns. */
        void makeRoom();
    }

    /** Lets a connection in. Returns false if there is no room, and none can be made. */
    boolean enter(SocketAddress address, Member member) {
        Member leaving;
        synchronized (this) {
            String key = keyOf(address);
            Set<Member> own = members.getOrDefault(key, Set.of());
            boolean isFull = own.size() >= mostOfOne || size >= most;
            leaving = isFull ? forgetIdle(own.size() >= mostOfOne ? own : biggest()) : null;
            if (isFull && leaving == null) {
                return false;
            }
            members.computeIfAbsent(key, ignored -> new LinkedHashSet<>()).add(member);
            size++;
        }
        if (leaving != null) {
            leaving.makeRoom();
        }
        return true;
    }

    /** Notes that the connection has done something. */
    synchronized void touch(SocketAddress address, Member member) {
        Set<Member> own = members.get(keyOf(address));
        if (own != null && own.remove(member)) {
            own.add(member);
        }
    }

    /** Notes that the connection is closed; may be called more than once. */
    synchronized void leave(SocketAddress address, Member member) {
        remove(keyOf(address), member);
    }

    synchronized int size() {
        return size;
    }

    private @Nullable Member forgetIdle(Set<Member> own) {
        Member idle = idle(own);
        if (idle != null) {
            forget(idle);
        }
        return idle;
    }

    private void forget(Member member) {
        members.entrySet().stream()
                .filter(entry -> entry.getValue().contains(member))
                .map(Map.Entry::getKey)
                .findFirst()
                .ifPresent(key -> remove(key, member));
    }

    private void remove(String key, Member member) {
        Set<Member> own = members.get(key);
        if (own != null && own.remove(member)) {
            size--;
            if (own.isEmpty()) {
                members.remove(key);
            }
        }
    }

    /**
     * Returns the connections of the address that has the most, so that a crowd from one address costs other addresses
     * nothing.
     */
    private Set<Member> biggest() {
        return members.values().stream()
                .filter(own -> idle(own) != null)
                .max(Comparator.comparingInt(Set::size))
                .orElse(Set.of());
    }

    private static @Nullable Member idle(Set<Member> own) {
        return own.stream().filter(member -> !member.isBusy()).findFirst().orElse(null);
    }

    private static String keyOf(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return "";
        }
        InetAddress ip = inet.getAddress();
        return ip instanceof Inet6Address
                ? Arrays.toString(Arrays.copyOf(ip.getAddress(), NETWORK_BYTES))
                : ip.getHostAddress();
    }
}
