package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.RestoreView;
import java.util.List;

/** Sends archived events once more, stream by stream, in parts. */
final class Restoring {

    private static final int PART = 500;

    private final RestApi api;
    private final boolean includeDue;

    /** @param includeDue true to send events, too, that the next sweep would delete again */
    Restoring(RestApi api, boolean includeDue) {
        this.api = api;
        this.includeDue = includeDue;
    }

    /** @param sums takes the outcome of each part when it is done */
    void run(ArchivedFind found, boolean isDryRun, RestoreSums sums) {
        found.records().forEach((stream, records) -> {
            for (int from = 0; from < records.size(); from += PART) {
                List<String> part = records.subList(from, Math.min(records.size(), from + PART));
                sums.add(stream, send(stream, part, isDryRun));
            }
        });
    }

    private RestoreView send(String stream, List<String> part, boolean isDryRun) {
        JsonNode answer = api.post(
                RestPath.of("v1", "streams", stream, "restore").withFlag("dryRun", isDryRun),
                WireJson.tree(new RestoreView.Input(part, includeDue)));
        return Json.as(answer, RestoreView.class);
    }
}
