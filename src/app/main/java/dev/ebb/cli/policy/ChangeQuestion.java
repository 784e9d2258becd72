package dev.ebb.cli.policy;

import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.terminal.Terminal;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/**
 * Options of changes of policies and holds after which events may go: who confirms, releases or removes says why, and
 * has seen what goes (O-26).
 */
public final class ChangeQuestion {

    @Mixin
    private Question question;

    @Mixin
    private AuthorOptions author;

    @Mixin
    private ApiOptions api;

    public ChangeQuestion(CommandEnvironment context) {
        this.question = new Question(context);
        this.api = new ApiOptions(context);
        this.author = new AuthorOptions();
    }

    public ApiOptions api() {
        return api;
    }

    public AuthorOptions author() {
        return author;
    }

    /** Returns true if {@code --yes} was given. */
    public boolean isAnswered() {
        return question.isAnswered();
    }

    /**
     * Returns if there is a reason and the answer is yes.
     *
     * @param what the change, as a sentence without its full stop, for where no person can be asked
     * @param preview shows what goes, and returns the question
     * @throws CommandFailure if there is no reason, the answer is no, or no person can answer
     */
    public void require(String what, Function<Terminal, String> preview) {
        requireReason();
        question.requireShown(what + "; add --yes to do it", api::address, preview);
    }

    /** @throws CommandFailure if there is no reason */
    void requireReason() {
        String reason = author.reason();
        if (reason == null || reason.isBlank()) {
            throw CommandFailure.usage("--reason is missing; it goes into the audit");
        }
    }
}
