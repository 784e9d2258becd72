package dev.ebb.api.peers;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import io.javalin.http.Context;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Headers of requests between instances. A caller that sends the right {@value #HEADER} gets the answer of this
 * instance alone: a question never goes further than one instance. The header grants nothing else; the caller's own
 * {@code Authorization}, sent along, decides the rights.
 */
public final class PeerAccess {

    static final String HEADER = "Ebb-Peer";

    /** Header with the requested partitions, separated by commas. */
    static final String PARTITIONS = "Ebb-Partitions";

    /** Header with the value true if a copy may answer. */
    static final String COPY = "Ebb-Copy";

    /** Value in place of the secret where none is set; accepted on the loopback address only. */
    static final String WITHOUT_SECRET = "loopback";

    private static final String FORWARDED = "ebb.forwarded";
    private static final String OF_COPY = "ebb.copy";

    private final String secret;

    /** @param secret the secret of all instances; empty if none is set */
    public PeerAccess(String secret) {
        this.secret = secret;
    }

    /** Returns the secret to send to the address; null if the address must not be asked without one. */
    @Nullable
    String pass(String host) {
        return secret.isEmpty() ? isLoopback(host) ? WITHOUT_SECRET : null : secret;
    }

    /** Runs before each request; ends it if it falsely claims to come from an instance. */
    void check(Context ctx) {
        String given = ctx.header(HEADER);
        if (given == null) {
            return;
        }
        boolean isPeer = secret.isEmpty()
                ? given.equals(WITHOUT_SECRET) && isLoopback(ctx.req().getRemoteAddr())
                : MessageDigest.isEqual(bytes(given), bytes(secret));
        if (!isPeer) {
            throw new ProblemException(
                    ProblemKind.PEER_REFUSED,
                    HEADER + " is not the secret of this instance; set the same api.peer.secret on all instances");
        }
        ctx.attribute(FORWARDED, true);
        if ("true".equals(ctx.header(COPY))) {
            readCopies(ctx, true);
        }
    }

    /** Returns true if another instance asks, so that this one asks no other in turn. */
    public static boolean isForwarded(Context ctx) {
        return Boolean.TRUE.equals(ctx.attribute(FORWARDED));
    }

    /** Returns true if the local copy of the partition answers, whichever instance keeps the partition. */
    static boolean isOfCopy(Context ctx) {
        return Boolean.TRUE.equals(ctx.attribute(OF_COPY));
    }

    static void readCopies(Context ctx, boolean isOfCopy) {
        ctx.attribute(OF_COPY, isOfCopy);
    }

    /** Returns the partitions that another instance asks for; null if it names none. */
    static @Nullable NavigableSet<Integer> partitions(Context ctx) {
        String header = ctx.header(PARTITIONS);
        if (header == null) {
            return null;
        }
        NavigableSet<Integer> partitions = new TreeSet<>();
        for (String partition : header.split(",", -1)) {
            if (!partition.matches("\\d{1,9}")) {
                throw ProblemException.badRequest(PARTITIONS + " must be numbers separated by commas");
            }
            partitions.add(Integer.valueOf(partition));
        }
        return partitions;
    }

    /** Returns true for a loopback address; a name that cannot be resolved is none. */
    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
