package dev.ebb.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/**
 * Where something listens.
 *
 * @param host a name or an IP address
 * @param port 1 to 65535
 */
public record Address(String host, int port) {

    static Address parse(String text) {
        URI uri = URI.create("tcp://" + text);
        return new Address(uri.getHost(), uri.getPort());
    }

    /** Whether only this machine can reach it; a name that cannot be resolved is taken for one that others can. */
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Whether it stands for all addresses of a machine, so that nobody can reach anything by it. */
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
