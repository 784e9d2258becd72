package dev.ebb.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensTest {

    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final String SECRET = TokenSecret.generate();
    private static final String OTHER = TokenSecret.generate();

    @TempDir
    private Path folder;

    private long nanos;

    @Test
    void shouldKnowOnlyTheOwnersOfTokens() throws IOException {
        // given
        Tokens tokens = tokens(line("anna", Role.ADMIN, SECRET, null));

        // then
        assertThat(tokens.caller(SECRET)).isEqualTo(new Caller("anna", Role.ADMIN));
        assertThatThrownBy(() -> tokens.caller(OTHER)).isInstanceOf(RefusedTokenException.class);
        assertThatThrownBy(() -> tokens.caller("")).isInstanceOf(RefusedTokenException.class);
        assertThatThrownBy(() -> tokens.caller(SECRET + "x")).isInstanceOf(RefusedTokenException.class);
    }

    @Test
    void shouldNotAcceptASecretThatAPersonThoughtOfAlthoughItsHashIsListed() throws IOException {
        // given
        Tokens tokens = tokens(line("anna", Role.ADMIN, "letmein", null));

        // then
        assertThatThrownBy(() -> tokens.caller("letmein")).hasMessageContaining("unknown");
    }

    /** Limits in threes: the millisecond before, the end itself, the one after. */
    @ParameterizedTest
    @CsvSource({"1, true", "0, false", "-1, false"})
    void shouldRefuseFromTheMomentOfTheEndOn(long millisLeft, boolean isAccepted) throws IOException {
        // given
        Tokens tokens = tokens(line("anna", Role.VIEWER, SECRET, NOW.plusMillis(millisLeft)));

        // then
        if (isAccepted) {
            assertThat(tokens.caller(SECRET).name()).isEqualTo("anna");
        } else {
            assertThatThrownBy(() -> tokens.caller(SECRET)).hasMessageContaining("'anna' has expired");
        }
    }

    @Test
    void shouldSeeAChangedFileWithinASecondAndKeepTheLastGoodOne() throws IOException {
        // given
        Tokens tokens = tokens(line("anna", Role.ADMIN, SECRET, null));

        // when: the file lists another token instead
        write(line("bob", Role.VIEWER, OTHER, null));
        assertThat(tokens.caller(SECRET).name()).isEqualTo("anna");
        nanos += Duration.ofSeconds(1).toNanos();

        // then
        assertThatThrownBy(() -> tokens.caller(SECRET)).isInstanceOf(RefusedTokenException.class);
        assertThat(tokens.caller(OTHER)).isEqualTo(new Caller("bob", Role.VIEWER));

        // when: the file is broken, then gone
        for (boolean isGone : new boolean[] {false, true}) {
            if (isGone) {
                Files.delete(file());
            } else {
                write("bob viewer");
            }
            nanos += Duration.ofSeconds(1).toNanos();

            // then
            assertThat(tokens.caller(OTHER).name()).isEqualTo("bob");
        }
    }

    @Test
    void shouldNameEveryLineThatIsWrongAndQuoteNoHash() throws IOException {
        // given
        String good = line("anna", Role.ADMIN, SECRET, null);
        write("# who may call\n" + good + "\nbob boss " + TokenSecret.hash(OTHER) + "\n\ncarl viewer " + OTHER + "\n"
                + good + "\ndora viewer " + TokenSecret.hash(OTHER) + " soon\n");

        // then
        assertThatThrownBy(() -> TokenList.read(file()))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageContaining("line 3: the role must be viewer, operator, eraser, restorer or admin")
                .hasMessageContaining("line 5: the hash must be sha256:")
                .hasMessageContaining("line 6: another line has this token too")
                .hasMessageContaining("line 7: the expiry must be a time")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(OTHER, TokenSecret.hash(SECRET)));
    }

    @Test
    void shouldRefuseAFileThatAllUsersMayWriteAndAMissingOne() throws IOException {
        // given
        assertThatThrownBy(() -> TokenList.read(file())).hasMessageContaining("ebb token create");
        write(line("anna", Role.ADMIN, SECRET, null));
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));

        // then
        assertThatThrownBy(() -> TokenList.read(file())).hasMessageContaining("chmod o-w");
    }

    @Test
    void shouldLetATokenDoWhatAnyOfItsRolesAllows() throws IOException {
        // when
        Caller officer =
                tokens("eva eraser,restorer " + TokenSecret.hash(SECRET)).caller(SECRET);

        // then
        assertThat(officer.covers(Role.ERASER)).isTrue();
        assertThat(officer.covers(Role.RESTORER)).isTrue();
        assertThat(officer.covers(Role.VIEWER)).isTrue();
        assertThat(officer.covers(Role.OPERATOR)).isFalse();
        assertThatThrownBy(() -> tokens("eva eraser, " + TokenSecret.hash(SECRET)))
                .hasMessageContaining("the role must be");
    }

    @Test
    void shouldMakeTokensThatCannotBeGuessed() {
        assertThat(SECRET).hasSize(47).matches(TokenSecret::isOne).isNotEqualTo(OTHER);
        assertThat(TokenSecret.hash("abc"))
                .isEqualTo("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    private Path file() {
        return folder.resolve("tokens");
    }

    private void write(String text) throws IOException {
        Files.writeString(file(), text);
    }

    private Tokens tokens(String text) throws IOException {
        write(text);
        return new Tokens(file(), Clock.fixed(NOW, ZoneOffset.UTC), () -> nanos);
    }

    private static String line(String name, Role role, String secret, Instant end) {
        return new TokenEntry(name, Set.of(role), TokenSecret.hash(secret), end).line();
    }
}
