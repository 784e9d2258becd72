package dev.ebb.api.commands;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.api.peers.Gathering.Share;
import dev.ebb.port.RunningCommands;
import dev.ebb.wire.commands.RunningCommandView;
import dev.ebb.wire.commands.RunningPage;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Stream;

/** Lists commands that run, of all instances: a person sees who is at work, and a command whose id nobody noted. */
public record RunningResource(RunningCommands running, Gathering gathering) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.forCaller(RunningPage.LIST, (ctx, query) -> list(ctx, query.limit())));
    }

    private RunningPage list(Context ctx, int limit) {
        Gathered<RunningPage> gathered = gathering.gather(ctx, RunningPage.class, share -> listed(share, limit));
        RunningPage all = page(gathered.answers().stream().flatMap(answer -> answer.commands().stream()), limit);
        boolean isMore = all.isMore() || gathered.answers().stream().anyMatch(RunningPage::isMore);
        return new RunningPage(all.commands(), isMore, gathered.unanswered());
    }

    private RunningPage listed(Share share, int limit) {
        return page(
                share.partitions().stream()
                        .flatMap(partition -> running.running(partition, limit + 1).stream())
                        .map(RunningCommandView::of),
                limit);
    }

    private static RunningPage page(Stream<RunningCommandView> commands, int limit) {
        List<RunningCommandView> found =
                commands.sorted(RunningCommandView.LONGEST_FIRST).toList();
        return new RunningPage(found.subList(0, Math.min(found.size(), limit)), found.size() > limit, List.of());
    }
}
