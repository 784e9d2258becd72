package dev.ebb.api.access;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of a file at the present moment: a change of the file takes effect within a second, without a restart.
 * While the file cannot be used, the last good content stays in force, and the log says so. Thread-safe.
 */
public final class Tokens implements TokenCheck {

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);

    private final Path file;
    private final Clock clock;
    private final FollowedFile followed;

    private volatile TokenList list;

    /** Reads the file; throws {@link UnusableFileException} if it cannot be used. */
    public Tokens(Path file) {
        this(file, Clock.systemUTC(), System::nanoTime);
    }

    /**
     * Reads the file.
     *
     * @param clock decides which tokens have expired
     * @param nanoTime decides when the file is checked for changes again
     */
    public Tokens(Path file, Clock clock, LongSupplier nanoTime) {
        this.file = file;
        this.clock = clock;
        byte[] bytes = TokenList.bytes(file);
        this.list = TokenList.parse(file, bytes);
        this.followed = new FollowedFile("file of tokens", () -> TokenList.bytes(file), this::use, nanoTime, bytes);
    }

    @Override
    public Caller caller(String secret) {
        followed.lookAgain();
        TokenEntry entry = Optional.of(secret)
                .filter(TokenSecret::isOne)
                .flatMap(list::find)
                .orElseThrow(() -> new RefusedTokenException("the token is unknown"));
        if (entry.isExpiredAt(clock.instant())) {
            throw new RefusedTokenException("the token of '" + entry.name() + "' has expired");
        }
        return new Caller(entry.name(), entry.roles());
    }

    private void use(byte[] bytes) {
        list = TokenList.parse(file, bytes);
        LOG.atInfo()
                .addKeyValue("tokens", list.entries().size())
                .addKeyValue("valid", list.validAt(clock.instant()))
                .log("the file of tokens has changed and was read");
    }
}
