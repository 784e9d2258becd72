package dev.ebb.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Address that a service listens on.
 *
 * @param host a name or an IP address
 * @param port 1 to 65535
 */
public record Address(String host, int port) {

    /**
     * Returns true if only this machine can reach the address; a name that cannot be resolved counts as reachable for
     * all.
     */
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns true if the address stands for all addresses of a machine, so that no client can connect to it. */
    public boolean isWildcard() {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
