package dev.ebb.wire.commands;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.util.List;

/**
 * Commands of all partitions that have begun and not ended.
 *
 * @param commands the commands, by their beginning, the earliest first
 * @param isMore true if there are more commands than the limit allows
 * @param unanswered instances whose part is missing; left out if there are none
 */
public record RunningPage(
        List<RunningCommandView> commands,

        @Meaning("True if more commands run than the limit.")
        boolean isMore,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<UnansweredView> unanswered) {

    /** Lists running commands. */
    public static final Read<Query, RunningPage> LIST = new Read<>(
            "/v1/commands",
            "Lists commands that have begun and not ended, the longest-running first.",
            Query.class,
            RunningPage.class);

    /** The number of commands to show. */
    public record Query(
            @Parameter("The most commands to show, up to 1000. Default: 100.")
            int limit) {}
}
