package dev.ebb.api.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.MirrorCheck.DifferencePage;
import dev.ebb.port.MirrorCheck.Group;
import dev.ebb.serde.mirror.MirrorTable;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The parts of which {@code ebb verify} makes its comparison; each of them is small and does no harm. */
public final class VerifyResource implements ApiResource {

    private static final List<String> TABLES =
            Arrays.stream(MirrorTable.values()).map(Enum::name).toList();

    private final MirrorCheck check;
    private final RequestBody body;

    public VerifyResource(MirrorCheck check, RequestBody body) {
        this.check = check;
        this.body = body;
    }

    @Override
    public List<ApiRoute> routes() {
        String partition = "/v1/verify/partitions/{partition}";
        return List.of(
                ApiRoute.get("/v1/verify", this::start, "Where the mirror topics end now.")
                        .answers(VerifyView.Start.class),
                ApiRoute.get("/v1/verify/passed", this::passed, "Whether SQL has all that was in front of a mark.")
                        .required("mark", "The 'mark' of /v1/verify.")
                        .answers(VerifyView.Passed.class),
                digests(ApiRoute.get("/v1/verify/sql", this::inSql, "Counts and hashes of the rows that SQL has.")),
                digests(ApiRoute.get(partition, this::stored, "Counts and hashes of what a partition has stored.")),
                ApiRoute.get(partition + "/differences", this::differences, "Rows of a stream that differ just now.")
                        .required("table", "EVENTS or EXECUTIONS.")
                        .required("stream", "The stream.")
                        .query("month", "For events, the month of stored_at in UTC, for example 2026-11.")
                        .query("after", "The 'next' of the page before.")
                        .answers(VerifyView.Rows.class),
                ApiRoute.post(
                                partition + "/differences",
                                this::look,
                                "Which of these rows of a stream differ just now.")
                        .takes("VerifiedRows")
                        .answers(VerifyView.Rows.class));
    }

    private static ApiRoute digests(ApiRoute route) {
        return route.required("table", "EVENTS or EXECUTIONS.")
                .query("after", "The 'next' of the page before.")
                .answers(VerifyView.Digests.class);
    }

    private void start(Context ctx) {
        QueryParams.refuseAll(ctx);
        MirrorCheck.Mark mark = check.mark();
        ApiJson.answer(ctx, new VerifyView.Start(mark.partitions(), mark.mark()));
    }

    private void passed(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "mark");
        String mark = params.text("mark", "");
        params.done();
        ApiJson.answer(ctx, new VerifyView.Passed(check.hasPassed(mark)));
    }

    private void stored(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "table", "after");
        MirrorTable table = table(params);
        params.done();
        ApiJson.answer(ctx, VerifyView.Digests.of(check.stored(partition(ctx), table, params.text("after"))));
    }

    private void inSql(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "table", "after");
        MirrorTable table = table(params);
        params.done();
        ApiJson.answer(ctx, VerifyView.Digests.of(check.inSql(table, params.text("after"))));
    }

    private void differences(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "table", "stream", "month", "after");
        MirrorTable table = table(params);
        String stream = params.text("stream");
        params.done();
        if (stream == null) {
            throw ProblemException.badRequest("the parameter 'stream' must be named");
        }
        Group group = new Group(table, stream, table == MirrorTable.EVENTS ? month(params) : "");
        ApiJson.answer(ctx, VerifyView.Rows.of(check.differences(partition(ctx), group, params.text("after"))));
    }

    private void look(Context ctx) {
        QueryParams.refuseAll(ctx);
        int partition = partition(ctx);
        JsonNode json = ApiJson.parse(body.jsonText(ctx));
        if (json == null || !json.path("stream").isTextual()) {
            throw ProblemException.badRequest("the body is not a JSON object with a 'stream'");
        }
        List<MirrorCheck.Difference> found =
                check.look(partition, json.path("stream").textValue(), rows(json), executions(json));
        ApiJson.answer(ctx, VerifyView.Rows.of(new DifferencePage(found, null)));
    }

    private static List<RowKey> rows(JsonNode json) {
        List<RowKey> rows = new ArrayList<>();
        for (JsonNode row : few(json.path("rows"))) {
            try {
                rows.add(RowKey.parse(row.asText()));
            } catch (IllegalArgumentException e) {
                throw ProblemException.badRequest("'rows' has something that is no row: " + e.getMessage());
            }
        }
        return rows;
    }

    private static List<Long> executions(JsonNode json) {
        List<Long> executions = new ArrayList<>();
        few(json.path("executions")).forEach(number -> executions.add(number.asLong()));
        return executions;
    }

    private static JsonNode few(JsonNode list) {
        if (list.size() > Command.RepairMirror.MAX_ROWS) {
            throw ProblemException.badRequest(
                    "there are " + list.size() + " rows; at most " + Command.RepairMirror.MAX_ROWS + " are looked at");
        }
        return list;
    }

    private static MirrorTable table(QueryParams params) {
        String word = params.word("table", TABLES);
        if (word == null) {
            params.done();
            throw ProblemException.badRequest("the parameter 'table' must be one of " + String.join(", ", TABLES));
        }
        return MirrorTable.valueOf(word);
    }

    private static String month(QueryParams params) {
        try {
            return YearMonth.parse(params.text("month", "")).toString();
        } catch (DateTimeException e) {
            throw ProblemException.badRequest("the parameter 'month' must be a month such as 2026-11");
        }
    }

    private static int partition(Context ctx) {
        String text = ctx.pathParam("partition");
        if (!text.matches("\\d{1,9}")) {
            throw ProblemException.badRequest("the partition in the path must be a number");
        }
        return Integer.parseInt(text);
    }
}
