package dev.ebb.devstack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/**
 * Hands out ports of 127.0.0.1: the usual one, or if that is taken one that looks like it, 10000 or a multiple above.
 * They stay below the range from which systems take the ports of outgoing connections, so that a service finds its
 * port free when it is restarted. Not for use by several threads.
 */
final class Ports {
    private static final int STEP = 10_000;
    private static final int END = 32_768;

    private final StackObserver observer;
    private final int offset;
    private final Set<Integer> handedOut = new HashSet<>();

    Ports(StackObserver observer) {
        this(observer, 0);
    }

    /** {@code offset} is added to the usual ports, for a stack that leaves those to others. */
    Ports(StackObserver observer, int offset) {
        this.observer = observer;
        this.offset = offset;
    }

    /** A port for what the service is there for; the observer hears when it is not the usual one. */
    int take(Service service) {
        int usual = service.usualPort();
        int port = take(usual);
        if (port != usual + offset) {
            observer.portTaken(service, usual + offset, PortOwner.of(usual + offset), port);
        }
        return port;
    }

    /** A port that nobody needs to know. */
    int take(int usual) {
        for (int port = usual + offset; port < END; port += STEP) {
            if (!handedOut.contains(port) && isFree(port)) {
                handedOut.add(port);
                return port;
            }
        }
        return takeAny();
    }

    private int takeAny() {
        try (var socket = new ServerSocket(0, 1, loopback())) {
            handedOut.add(socket.getLocalPort());
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new DevStackException("there is no free port on 127.0.0.1", e);
        }
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, loopback())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }
}
