package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Allocates ports of 127.0.0.1: the default port, or, if that is taken, a similar one, 10000 or a multiple above. They
 * stay below the range from which systems take the ports of outgoing connections, so that a service finds its port free
 * after a restart.
 *
 * <p>A service needs seconds until it listens, and another stack that checks meanwhile would find the port free. So
 * each allocated port is claimed until {@link #close()}, by listening on the same port of {@value #CLAIMS}, an address
 * that no service uses. The system gives that address and port to one stack alone, whichever user started it, and frees
 * it when this process ends. Where the address does not exist, and to programs that know nothing of it, a port may
 * still be lost; a caller that notices this asks for another one. Safe for use by several threads.
 */
public final class Ports implements AutoCloseable {
    private static final String CLAIMS = "127.98.98.1";
    private static final int STEP = 10_000;
    private static final int END = 32_768;
    private static final int ANY_TRIES = 100;

    private final StackObserver observer;
    private final int offset;
    private final Set<Service> reported;
    private final List<Claim> claims = new ArrayList<>();

    Ports(StackObserver observer) {
        this(observer, 0, EnumSet.allOf(Service.class));
    }

    /**
     * Makes an allocator that adds {@code offset} to the default ports, for a stack that leaves those to others.
     *
     * @param reported the services whose other ports are reported; ports of services that do not run interest no one
     */
    public Ports(StackObserver observer, int offset, Set<Service> reported) {
        this.observer = observer;
        this.offset = offset;
        this.reported = Set.copyOf(reported);
    }

    /** Takes a port for the service; tells the observer of another port than the default if the service is reported. */
    int take(Service service) {
        int usual = service.usualPort();
        int port = take(usual);
        if (port != usual + offset && reported.contains(service)) {
            observer.portTaken(service, usual + offset, PortOwner.of(usual + offset), port);
        }
        return port;
    }

    /** Takes a port without a report. */
    synchronized int take(int usual) {
        for (int port = usual + offset; port < END; port += STEP) {
            var claim = claim(port);
            if (claim.isPresent()) {
                return keep(claim.get());
            }
        }
        return takeAny();
    }

    /** Returns true if no process listens on the port of 127.0.0.1; a claim to the port does not count. */
    static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, loopback())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Gives up all claims. */
    @Override
    public synchronized void close() {
        claims.forEach(Claim::close);
        claims.clear();
    }

    private int takeAny() {
        for (int i = 0; i < ANY_TRIES; i++) {
            var claim = claim(anyFree());
            if (claim.isPresent()) {
                return keep(claim.get());
            }
        }
        throw new DevStackException("there is no free port on 127.0.0.1");
    }

    private static int anyFree() {
        try (var socket = new ServerSocket(0, 1, loopback())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new DevStackException("there is no free port on 127.0.0.1", e);
        }
    }

    private int keep(Claim claim) {
        claims.add(claim);
        return claim.port();
    }

    /**
     * Claims a port. The claim comes before the check: of two stacks that check at the same time, one must find the
     * port taken.
     */
    private Optional<Claim> claim(int port) {
        if (claims.stream().anyMatch(claim -> claim.port() == port)) {
            return Optional.empty();
        }
        var claim = Claim.on(port);
        if (claim.isPresent() && !isFree(port)) {
            claim.get().close();
            return Optional.empty();
        }
        return claim;
    }

    private static InetAddress loopback() {
        return address("127.0.0.1");
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port that no other stack may take. */
    private record Claim(int port, Optional<ServerSocket> socket) {
        private static final boolean IS_POSSIBLE = hasAddress();

        /** Returns a claim to the port; empty if another stack has one. */
        static Optional<Claim> on(int port) {
            if (!IS_POSSIBLE) {
                return Optional.of(new Claim(port, Optional.empty()));
            }
            try {
                return Optional.of(new Claim(port, Optional.of(new ServerSocket(port, 1, address(CLAIMS)))));
            } catch (IOException taken) {
                return Optional.empty();
            }
        }

        void close() {
            socket.ifPresent(held -> {
                try {
                    held.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        private static boolean hasAddress() {
            try (var socket = new ServerSocket(0, 1, address(CLAIMS))) {
                return socket.isBound();
            } catch (IOException none) {
                return false;
            }
        }
    }
}
