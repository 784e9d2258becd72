package dev.ebb.api.access;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of a file as it is now: a change of it is seen within a second, without a restart. While the file cannot be
 * used, the last good content stays in force, and the log says so. Thread-safe.
 */
public final class Tokens {

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Path file;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock looking = new ReentrantLock();

    private byte[] lastBytes;
    private String lastProblem = "";
    private volatile long lookedNanos;
    private volatile TokenList list;

    /** Reads the file; throws {@link BadTokenFileException} if it cannot be used. */
    public Tokens(Path file) {
        this(file, Clock.systemUTC(), System::nanoTime);
    }

    /** The clock decides what has expired; the other one when the file is looked at again. */
    public Tokens(Path file, Clock clock, LongSupplier nanoTime) {
        this.file = file;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.lookedNanos = nanoTime.getAsLong();
        this.lastBytes = TokenList.bytes(file);
        this.list = TokenList.parse(file, lastBytes);
    }

    /** Who has that token; throws {@link RefusedTokenException} if nobody has. */
    public Caller caller(String secret) {
        lookAgain();
        TokenEntry entry = Optional.of(secret)
                .filter(TokenSecret::isOne)
                .flatMap(list::find)
                .orElseThrow(() -> new RefusedTokenException("the token is not known"));
        if (entry.isExpiredAt(clock.instant())) {
            throw new RefusedTokenException("the token of '" + entry.name() + "' has expired");
        }
        return new Caller(entry.name(), entry.role());
    }

    /** Whoever comes while somebody looks goes by what was known before. */
    private void lookAgain() {
        if (nanoTime.getAsLong() - lookedNanos < LOOK_EVERY_NANOS || !looking.tryLock()) {
            return;
        }
        try {
            lookedNanos = nanoTime.getAsLong();
            look();
        } finally {
            looking.unlock();
        }
    }

    private void look() {
        try {
            byte[] bytes = TokenList.bytes(file);
            if (!Arrays.equals(bytes, lastBytes)) {
                list = TokenList.parse(file, bytes);
                lastBytes = bytes;
                LOG.atInfo()
                        .addKeyValue("tokens", list.entries().size())
                        .addKeyValue("valid", list.validAt(clock.instant()))
                        .log("the file of tokens has changed and was read");
            } else if (!lastProblem.isEmpty()) {
                LOG.info("the file of tokens is good again");
            }
            lastProblem = "";
        } catch (BadTokenFileException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String problem) {
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            LOG.error("{}; the tokens that were read before stay in force", problem);
        }
    }
}
