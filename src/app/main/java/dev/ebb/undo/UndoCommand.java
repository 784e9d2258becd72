package dev.ebb.undo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Command.UndoDeletes;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.time.Times;
import dev.ebb.wire.commands.CommandResultView;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "undo",
        description = {
            "Brings back events that were deleted by mistake: each event as it was, with its place, its execution"
                    + " and its row in SQL.",
            "Deletes by commands can be undone for the time in the field undo of the policy (24h by default),"
                    + " deletes by a policy only while the policy is new. An id that has been used again is not"
                    + " overwritten. 'ebb trash list' shows the deletes that can be undone.",
            "What comes back stands under a notice (undo.notice, 1h by default): until the notice ends, no policy"
                    + " treats events of these streams as due."
                    + " --dry-run tells how many events would be due after that; --revert and --hold keep them.",
            "Exit code 1 if nothing comes back, or not all of it."
        },
        footer = {
            "  ebb undo --command 5f0c1c9e… --dry-run",
            "  ebb undo --policy namespace:orders@12 --revert --reason 'maxAge was 3h, not 3d' --yes",
            "  ebb undo --since 20m --namespace orders --hold INC-7 --reason 'wrong sweep' --yes"
        })
public final class UndoCommand implements Callable<Integer> {

    private static final String UNASKED =
            "this brings events back; add --yes to do it, or --dry-run to see what would come back";

    @Option(names = "--command", paramLabel = "ID", description = "Undo the deletes of this command.")
    private @Nullable String command;

    @Option(names = "--sweep", paramLabel = "ID", description = "Undo the deletes of this sweep.")
    private @Nullable String sweep;

    @Option(
            names = "--policy",
            paramLabel = "SCOPE[@VERSION]",
            completionCandidates = CompletionWords.Scopes.class,
            description =
                    "Undo the deletes that a change of this policy made due, or the release of a hold (hold:<case>)."
                            + " Default: every new change of the policy.")
    private @Nullable String policy;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Undo all deletes since this time: " + Times.FORMS + ".")
    private @Nullable String since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "Only deletes before this time, in the same forms; a date means its end.")
    private @Nullable String until;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only events of streams of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            converter = ParameterReader.OfName.class,
            description = "Only events of this stream.")
    private @Nullable String stream;

    @Option(
            names = "--revert",
            description = "First put the policy that --policy SCOPE@VERSION replaced back in force.")
    private boolean revert;

    @Option(
            names = "--hold",
            paramLabel = "CASE",
            converter = ParameterReader.OfCase.class,
            description =
                    "First place a hold over each stream to which something comes back, 100 at most, and over nothing"
                            + " else: CASE for one stream, CASE-1, CASE-2 and so on for several.")
    private @Nullable PolicyKey hold;

    @Mixin
    private Question question;

    @Mixin
    private CommandOptions options;

    @Override
    public Integer call() {
        require();
        ObjectNode body = body();
        if (options.isDryRun()) {
            return shown(options.carryOut(() -> CommandCall.of(UndoDeletes.KIND, body)));
        }
        question.require(
                UNASKED,
                options::address,
                terminal -> show(terminal, options.preview(CommandCall.of(UndoDeletes.KIND, body))));
        return shown(options.carryOut(prepared(body)));
    }

    /** Shows the result; a script must not go on as if all were back. */
    private int shown(JsonNode result) {
        options.output()
                .print(
                        result,
                        CommandResultView.class,
                        (terminal, view) -> CommandTables.result(terminal, view, options.isVerbose()));
        boolean isShort = Json.as(result, CommandResultView.class).outcome() instanceof Outcome.Undone undo
                && undo.extent() != Outcome.Extent.ALL;
        return (isShort ? ExitCode.FAILED : ExitCode.OK).code();
    }

    private void require() {
        long chosen = Stream.of(command, sweep, policy, since)
                .filter(Objects::nonNull)
                .count();
        if (chosen != 1) {
            throw CommandFailure.usage(
                    "undo takes one of --command, --sweep, --policy and --since, for example --since 20m");
        }
        if (until != null && since == null) {
            throw CommandFailure.usage("--until needs --since");
        }
        if (namespace != null && stream != null) {
            throw CommandFailure.usage(
                    "--namespace and --stream cannot be combined: a stream belongs to one namespace");
        }
        if (revert && hold != null) {
            throw CommandFailure.usage("undo takes one of --revert and --hold: each keeps the events that come back");
        }
        if (revert && (policy == null || ScopeVersion.of(policy).version() == null)) {
            throw CommandFailure.usage(
                    "--revert needs the change that it reverts: --policy SCOPE@VERSION, as 'ebb trash list' shows it");
        }
        if (!options.isDryRun() && options.isReasonMissing()) {
            throw CommandFailure.usage("--reason is missing; it goes into the audit");
        }
    }

    private ObjectNode body() {
        ObjectNode body = Json.object();
        Json.putGiven(body, "command", command);
        Json.putGiven(body, "sweep", sweep);
        if (policy != null) {
            ScopeVersion change = ScopeVersion.of(policy);
            body.put("policy", change.policy());
            if (change.version() != null) {
                body.put("version", change.version());
            }
        }
        Json.putGiven(body, "since", TimeText.of(CommandField.SINCE, "--since", since));
        Json.putGiven(body, "until", TimeText.of(CommandField.UNTIL, "--until", until));
        Json.putGiven(body, "namespace", namespace);
        Json.putGiven(body, "stream", stream);
        return body;
    }

    private Supplier<CommandCall> prepared(ObjectNode body) {
        return () -> {
            CommandCall call = CommandCall.of(UndoDeletes.KIND, body);
            call.path().withFlag("revert", revert).with("hold", hold == null ? null : hold.caseId());
            return call;
        };
    }

    private String show(Terminal terminal, CommandResultView preview) {
        CommandTables.result(terminal, preview, options.isVerbose());
        String what = preview.outcome() instanceof Outcome.Undone undo
                ? "Bring back " + Texts.counted(undo.events(), "event")
                : "Bring it back";
        if (revert) {
            return "Put the former policy back in force, and then b" + what.substring(1) + "?";
        }
        return hold == null ? what + "?" : "Place the hold " + hold.caseId() + ", and then b" + what.substring(1) + "?";
    }

    /**
     * A change of a policy in the form {@code SCOPE[@VERSION]}. A name that itself ends with {@code @} and digits needs
     * the
     * version after it.
     *
     * @param policy the scope, or {@code hold:<case>}
     * @param version the version; null for any
     */
    private record ScopeVersion(String policy, @Nullable Long version) {

        private static final Pattern WITH_VERSION = Pattern.compile("(.+)@(\\d{1,18})", Pattern.DOTALL);

        /** @throws CommandFailure if the scope is not valid */
        static ScopeVersion of(String text) {
            Matcher parts = WITH_VERSION.matcher(text);
            boolean hasVersion = parts.matches();
            String policy = hasVersion ? parts.group(1) : text;
            try {
                return new ScopeVersion(
                        PolicyKey.parse(policy).toString(), hasVersion ? Long.valueOf(parts.group(2)) : null);
            } catch (IllegalArgumentException e) {
                throw CommandFailure.usage("--policy: " + e.getMessage());
            }
        }
    }
}
