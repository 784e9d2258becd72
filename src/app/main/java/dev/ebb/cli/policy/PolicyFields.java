package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CompletionWords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The fields of a policy as options. A field that is not named is inherited from the next wider scope. */
final class PolicyFields {

    @Option(
            names = "--max-age",
            completionCandidates = CompletionWords.Ages.class,
            paramLabel = "DURATION",
            description = "What is older goes: 15m, 24h, 30d or unlimited.")
    private @Nullable String maxAge;

    @Option(names = "--max-count", paramLabel = "N", description = "How many events a stream keeps, or unlimited.")
    private @Nullable String maxCount;

    @Option(names = "--max-bytes", paramLabel = "N", description = "How many bytes a stream keeps, or unlimited.")
    private @Nullable String maxBytes;

    @Option(
            names = "--keep-last",
            paramLabel = "N",
            description = "The newest N events, or executions, that always stay, or none.")
    private @Nullable String keepLast;

    @Option(names = "--min-age", paramLabel = "DURATION", description = "What is younger always stays: 1h, 7d or none.")
    private @Nullable String minAge;

    @Option(
            names = "--anchor",
            completionCandidates = CompletionWords.Anchors.class,
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

    @Option(
            names = "--mode",
            completionCandidates = CompletionWords.Modes.class,
            paramLabel = "MODE",
            description = "enforce, or warn: report what would be deleted and delete nothing.")
    private @Nullable String mode;

    @Option(names = "--interval", paramLabel = "DURATION", description = "How often a sweep runs, for example 5s.")
    private @Nullable String interval;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            description = "When sweeps may run, for example '22:00-06:00 Europe/Berlin', or none for always.")
    private @Nullable String window;

    @Option(
            names = "--warn-before",
            paramLabel = "DURATION",
            description = "Report what will expire within this time, or none.")
    private @Nullable String warnBefore;

    @Option(
            names = "--archive",
            negatable = true,
            description = "Whether events are written to the archive before they are deleted.")
    private @Nullable Boolean archive;

    @Option(
            names = "--pattern",
            completionCandidates = CompletionWords.Patterns.class,
            paramLabel = "NAME",
            description = "What a namespace inherits from: cache, session, keyvalue, timeseries, graph, vector, object"
                    + " or one of your own.")
    private @Nullable String pattern;

    @Option(names = "--enabled", negatable = true, description = "--no-enabled: ignore this policy.")
    private @Nullable Boolean enabled;

    @Option(names = "--confirmed", description = "Let this version delete more than the brake allows.")
    private boolean confirmed;

    /** The fields that are named, as they are written in a file of policies. */
    ObjectNode json() {
        ObjectNode json = Json.object();
        put(json, "maxAge", maxAge);
        putNumber(json, "maxCount", maxCount);
        putNumber(json, "maxBytes", maxBytes);
        putNumber(json, "keepLast", keepLast);
        put(json, "minAge", minAge);
        put(json, "anchor", anchor);
        put(json, "minTtl", minTtl);
        put(json, "maxTtl", maxTtl);
        putTruth(json, "allowInfiniteTtl", allowInfiniteTtl);
        put(json, "mode", mode);
        put(json, "interval", interval);
        put(json, "window", window);
        put(json, "warnBefore", warnBefore);
        putTruth(json, "archive", archive);
        put(json, "pattern", pattern);
        putTruth(json, "enabled", enabled);
        putTruth(json, "confirmed", confirmed ? Boolean.TRUE : null);
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

    /** Sends a text that is no number as it is, so that it is refused together with all other faults. */
    private static void putNumber(ObjectNode json, String field, @Nullable String text) {
        if (text != null && text.matches("-?\\d{1,18}")) {
            json.put(field, Long.parseLong(text));
        } else {
            put(json, field, text);
        }
    }
}
