package dev.ebb.api.commands;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.commands.PreparedView;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command that was refused, as a problem of RFC 9457.
 *
 * @param refusal the reason
 * @param result the result of the command, as far as it is known
 */
record RefusalView(String type, String title, int status, String detail, Refusal refusal, CommandResultView result) {

    /** @param prepared the preparation in the same act; null if there was none */
    static RefusalView of(Refusal refusal, CommandResult result, @Nullable PreparedView prepared) {
        String word = refusal.name().toLowerCase(Locale.ROOT).replace('_', '-');
        String detail = result.detail().isEmpty() ? result.verb() + " was refused: " + refusal : result.detail();
        return new RefusalView(
                "urn:ebb:refusal:" + word,
                "The command was refused",
                status(refusal),
                prepared == null ? detail : detail + "; " + prepared.text(),
                refusal,
                new CommandResultView(result, prepared));
    }

    private static int status(Refusal refusal) {
        return switch (refusal) {
            case NOT_FOUND -> 404;
            case BAD_COMMAND -> 400;
            case BUSY -> 429;
            case NOT_READY -> 503;
            default -> 409;
        };
    }
}
