package dev.ebb.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The fields of a policy as options. What is not named is inherited from the next wider scope. */
final class PolicyFields {

    @Option(
            names = "--max-age",
            paramLabel = "DURATION",
            description = "What is older goes: 15m, 24h, 30d or unlimited.")
    private @Nullable String maxAge;

    @Option(names = "--max-count", paramLabel = "N", description = "How many events a stream keeps, or unlimited.")
    private @Nullable String maxCount;

    @Option(names = "--max-bytes", paramLabel = "N", description = "How many bytes a stream keeps, or unlimited.")
    private @Nullable String maxBytes;

    @Option(
            names = "--anchor",
            paramLabel = "TIME",
            description = "What age counts from: stored, occurred or completed.")
    private @Nullable String anchor;

    @Option(names = "--min-ttl", paramLabel = "DURATION", description = "Lower bound for TTLs of producers, or none.")
    private @Nullable String minTtl;

    @Option(names = "--max-ttl", paramLabel = "DURATION", description = "Upper bound for TTLs of producers, or none.")
    private @Nullable String maxTtl;

    @Option(
            names = "--allow-infinite-ttl",
            negatable = true,
            description = "Whether producers may ask for events to be kept for ever.")
    private @Nullable Boolean allowInfiniteTtl;

    @Option(names = "--interval", paramLabel = "DURATION", description = "How often a sweep runs, for example 5s.")
    private @Nullable String interval;

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            description = "What a namespace inherits from: cache, session, keyvalue, timeseries, graph, vector, object"
                    + " or one of your own.")
    private @Nullable String pattern;

    @Option(names = "--enabled", negatable = true, description = "--no-enabled: ignore this policy.")
    private @Nullable Boolean enabled;

    /** The fields that are named, as they are written in a file of policies. */
    ObjectNode json() {
        ObjectNode json = Json.object();
        put(json, "maxAge", maxAge);
        putNumber(json, "maxCount", maxCount);
        putNumber(json, "maxBytes", maxBytes);
        put(json, "anchor", anchor);
        put(json, "minTtl", minTtl);
        put(json, "maxTtl", maxTtl);
        putTruth(json, "allowInfiniteTtl", allowInfiniteTtl);
        put(json, "interval", interval);
        put(json, "pattern", pattern);
        putTruth(json, "enabled", enabled);
        return json;
    }

    private static void put(ObjectNode json, String field, @Nullable String text) {
        if (text != null) {
            json.put(field, text);
        }
    }

    private static void putTruth(ObjectNode json, String field, @Nullable Boolean value) {
        if (value != null) {
            json.put(field, value);
        }
    }

    /** What is no number is sent as it is, so that it is refused together with all other faults. */
    private static void putNumber(ObjectNode json, String field, @Nullable String text) {
        if (text != null && text.matches("-?\\d{1,18}")) {
            json.put(field, Long.parseLong(text));
        } else {
            put(json, field, text);
        }
    }
}
