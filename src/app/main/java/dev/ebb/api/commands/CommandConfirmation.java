package dev.ebb.api.commands;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.peers.Forwarding;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.CommandDesk.Report;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.serde.text.JsonState;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Confirms reports on commands: a record on the topic of results may be forged, and only the state of a partition tells
 * which commands the partition has begun and what became of them. The partition may be on another instance, which is
 * asked then. Thread-safe.
 */
public record CommandConfirmation(CommandDesk desk, Forwarding forwarding, Placement placement, RequestBody body) {

    private static final String ROUTE = "/v1/commands/known";

    /** Most reports on one command that are confirmed one after the other, because each is overtaken by the next. */
    private static final int MOST_TRIES = 3;

    /** A question about {@link CommandDesk#known}. */
    record Question(int partition, String commandId) {}

    /** @param result the result as JSON; null if the partition does not know the command */
    record Known(@Nullable String result) {}

    /** Returns the route at which other instances ask about the partitions of this one. */
    ApiRoute route() {
        return ApiRoute.post(
                        Role.VIEWER,
                        ROUTE,
                        this::answer,
                        "For other instances only: what a partition itself knows of a command.")
                .takes(Question.class)
                .answers(Known.class);
    }

    private void answer(Context ctx, QueryParams params) {
        params.done();
        if (!PeerAccess.isForwarded(ctx)) {
            throw ProblemException.badRequest("only instances of this application ask each other this");
        }
        @Nullable Question question = ApiJson.read(body.jsonText(ctx).getBytes(StandardCharsets.UTF_8), Question.class);
        boolean isKnown = question != null && question.partition >= 0 && question.partition < placement.partitions();
        if (question == null || !isKnown) {
            throw ProblemException.badRequest("this version does not understand the question");
        }
        ApiJson.answer(ctx, here(question));
    }

    private Known here(Question question) {
        return new Known(desk.known(question.partition, question.commandId)
                .map(JsonState::write)
                .orElse(null));
    }

    /**
     * Returns a desk for the caller of the request, with confirmed results alone. Commands count against the limit of
     * the caller's token; all callers without one are one caller.
     */
    public CommandDesk deskFor(Context ctx) {
        String caller = Objects.requireNonNullElse(Guard.caller(ctx).name(), "");
        return new ConfirmedDesk(desk, this, caller, PeerQuestion.of(ctx));
    }

    /**
     * Returns the report if a partition confirms it, or else what the partition that has the command says; empty if no
     * partition has it. A report that the command was turned away is taken as it is unless a partition has the command:
     * only the instance that kept the partition remembers that, and sending the command again does no harm.
     *
     * @throws NotReadyException if the report tells an outcome, and a partition cannot be asked now
     */
    Optional<CommandResult> confirmed(Report report, PeerQuestion asked) {
        Report now = report;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            if (now.partition().isEmpty()) {
                return Optional.of(now.result()); // not from the topic
            }
            try {
                Confirmed confirmed = confirmed(now, now.partition().getAsInt(), asked);
                Optional<Report> later = confirmed.isOver
                        ? Optional.empty()
                        : desk.report(now.result().commandId(), Duration.ZERO);
                if (later.isEmpty()) {
                    return Optional.ofNullable(confirmed.result);
                }
                now = later.get();
            } catch (NotReadyException e) {
                if (now.result().isFinal()) {
                    throw e;
                }
                // The command goes on when its partition does, and who waits for it need not be told more.
                return Optional.of(now.result());
            }
        }
        throw new NotReadyException(
                "reports on the command '" + report.result().commandId() + "' are still coming in",
                Duration.ofSeconds(1));
    }

    /** @param isOver false if a later report came while the partitions were asked, and none of them had the command */
    private record Confirmed(@Nullable CommandResult result, boolean isOver) {}

    private Confirmed confirmed(Report report, int reporter, PeerQuestion asked) {
        CommandResult told = report.result();
        String commandId = told.commandId();
        CommandResult known = known(reporter, commandId, asked);
        int partition = reporter;
        // A forged report under the id of a real command may be in another partition than that of the command.
        for (int other = 0; known == null && other < placement.partitions(); other++) {
            known = other == reporter ? null : known(other, commandId, asked);
            partition = known == null ? partition : other;
        }
        if (known == null ? told.isTurnedAway() : isProgress(told, known)) {
            return new Confirmed(told, true);
        }
        boolean isSettled = desk.settle(report, partition, known);
        return new Confirmed(known, isSettled || known != null);
    }

    /** Returns true if the report tells the progress of a running command, which no partition saves. */
    private static boolean isProgress(CommandResult report, CommandResult known) {
        return !known.isFinal()
                && !report.isFinal()
                && report.fingerprint().equals(known.fingerprint())
                && report.verb().equals(known.verb());
    }

    private @Nullable CommandResult known(int partition, String commandId, PeerQuestion asked) {
        Question question = new Question(partition, commandId);
        PeerQuestion there = asked.post(ROUTE, ApiJson.bytes(question));
        String result = forwarding.answer(() -> here(question), there, Known.class).result;
        return result == null ? null : JsonState.read(result, CommandResult.class);
    }

    /**
     * Desk that tells only what partitions confirm, and sends commands in the name of the caller.
     *
     * @param caller the caller against whose limit commands count; empty if callers have no tokens
     * @param asked the request of the caller, on whose behalf other instances are asked
     */
    private record ConfirmedDesk(CommandDesk desk, CommandConfirmation confirmation, String caller, PeerQuestion asked)
            implements CommandDesk {

        @Override
        public void submit(CommandRequest request) {
            submit(request, caller);
        }

        @Override
        public void submit(CommandRequest request, String ofCaller) {
            desk.submit(request, ofCaller);
        }

        @Override
        public Optional<CommandResult> find(String commandId) {
            return await(commandId, Duration.ZERO);
        }

        /** Goes on waiting after a report that no partition confirms. */
        @Override
        public Optional<CommandResult> await(String commandId, Duration wait) {
            long begin = System.nanoTime();
            Duration left = wait;
            while (true) {
                boolean isOver = left.isNegative() || left.isZero();
                Optional<Report> report = desk.report(commandId, isOver ? Duration.ZERO : left);
                Optional<CommandResult> confirmed = report.flatMap(found -> confirmation.confirmed(found, asked));
                boolean isDenied =
                        report.filter(found -> found.result().isFinal()).isPresent()
                                && confirmed.filter(CommandResult::isFinal).isEmpty();
                if (isOver || !isDenied) {
                    return confirmed;
                }
                left = wait.minusNanos(System.nanoTime() - begin);
            }
        }
    }
}
