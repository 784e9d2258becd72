package dev.ebb.api.access;

import dev.ebb.files.TrustedFile;
import dev.ebb.files.UnsafeFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tokens of a file, one a line; empty lines and lines that begin with # are skipped. Immutable. */
public record TokenList(List<TokenEntry> entries) {

    private static final int MAX_BYTES = 1 << 20;

    public TokenList {
        entries = List.copyOf(entries);
    }

    /** Reads a file; throws {@link UnusableFileException} that names every faulty line. */
    public static TokenList read(Path file) {
        return parse(file, bytes(file));
    }

    static byte[] bytes(Path file) {
        try {
            // Who can write it gives themselves any role; the hashes in it are no secret.
            TrustedFile.check(file, "file of tokens");
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new UnusableFileException(
                            file + " is bigger than " + MAX_BYTES + " bytes: not a file of tokens");
                }
                return bytes;
            }
        } catch (UnsafeFileException e) {
            throw new UnusableFileException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new UnusableFileException(
                    "the file of tokens " + file + " cannot be read; make it with 'ebb token create --file " + file
                            + "'",
                    e);
        }
    }

    static TokenList parse(Path file, byte[] bytes) {
        List<TokenEntry> entries = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        Set<String> hashes = new HashSet<>();
        int number = 0;
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
            number++;
            try {
                entry(line, hashes).ifPresent(entries::add);
            } catch (IllegalArgumentException e) {
                faults.add("line " + number + ": " + e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw new UnusableFileException(
                    "the file of tokens " + file + " cannot be used: " + String.join("; ", faults));
        }
        requireAny(entries, file);
        return new TokenList(entries);
    }

    /** Returns the token of the line; empty if the line is blank or a comment. */
    private static Optional<TokenEntry> entry(String line, Set<String> hashes) {
        if (line.isBlank() || line.startsWith("#")) {
            return Optional.empty();
        }
        TokenEntry entry = TokenEntry.parse(line);
        if (!hashes.add(entry.hash())) {
            throw new IllegalArgumentException("another line has this token too");
        }
        return Optional.of(entry);
    }

    private static void requireAny(List<TokenEntry> entries, Path file) {
        if (entries.isEmpty()) {
            throw new UnusableFileException(
                    "the file of tokens " + file + " has no tokens, so no caller could use the API; make one with"
                            + " 'ebb token create --file " + file + "'");
        }
    }

    /**
     * Returns the token with that secret. Compares all of them, so that the time taken does not reveal the place of a
     * token.
     */
    Optional<TokenEntry> find(String secret) {
        String hash = TokenSecret.hash(secret);
        TokenEntry found = null;
        for (TokenEntry entry : entries) {
            found = TokenSecret.areEqual(entry.hash(), hash) ? entry : found;
        }
        return Optional.ofNullable(found);
    }

    /** Returns the number of tokens that are accepted at that moment. */
    public long validAt(Instant now) {
        return entries.stream().filter(entry -> !entry.isExpiredAt(now)).count();
    }
}
