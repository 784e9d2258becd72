package dev.ebb.it;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.topology.wire.Topics;
import java.time.Instant;

/** Tells from the status of the application whether there is anything left to do. */
final class Quiet {

    private Quiet() {}

    /** Remaining work; empty if all input is taken in, all was swept since then and SQL has all of it. */
    static String missing(JsonNode status, Topics topics, Instant since) {
        JsonNode lag = status.path("input").path("lag");
        if (status.path("partitions").size() != topics.partitions() || !lag.isNumber() || lag.longValue() > 0) {
            return status.path("partitions").size() + " partitions with an input lag of " + lag;
        }
        for (JsonNode partition : status.path("partitions")) {
            String point = partition.path("lastSweepPoint").textValue();
            boolean isSwept = point != null && Instant.parse(point).isAfter(since);
            long todo = partition.path("dueStreams").longValue()
                    + partition.path("movingStreams").longValue()
                    + partition.path("parkedRecords").longValue();
            if (!isSwept || todo > 0) {
                return "partition " + partition;
            }
        }
        JsonNode mirror = status.path("mirror");
        boolean isMirrored = mirror.path("lag").isNumber() && mirror.path("lag").longValue() == 0;
        return isMirrored && mirror.path("state").textValue().equals("RUNNING") ? "" : "mirror " + mirror;
    }
}
