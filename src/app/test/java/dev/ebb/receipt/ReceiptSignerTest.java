package dev.ebb.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.runtime.life.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("T-8")
class ReceiptSignerTest {

    @TempDir
    private Path folder;

    @Test
    void shouldSignWithTheKeyInTheFile() throws IOException {
        // given
        SigningKey.Pair key = SigningKey.generate("ebb");

        // when
        NoteSigner signer =
                signer(Files.writeString(folder.resolve("key"), key.signing().secret() + "\n"));

        // then
        assertThat(key.verifying().hasSigned(signer.sign("a\n"))).isTrue();
    }

    @Test
    void shouldSignNothingWithoutAFile() {
        assertThat(ReceiptSigner.of(config(Map.of()))).isSameAs(NoteSigner.NONE);
    }

    @Test
    void shouldRefuseToStartUnsignedWhereAKeyIsAskedFor() throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "PRIVATE+KEY+ebb+00000000+c2VjcmV0\n");

        assertThatThrownBy(() -> signer(folder.resolve("missing")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> signer(file))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(file.toString())
                .hasMessageNotContaining("c2VjcmV0");
    }

    @Test
    @Tag("T-17")
    void shouldRefuseAKeyThatEveryAccountMayWrite() throws IOException {
        // given
        Path file = Files.writeString(
                folder.resolve("key"), SigningKey.generate("ebb").signing().secret());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        // then
        assertThatThrownBy(() -> signer(file))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("all users of this machine may write the key of the receipts " + file)
                .hasMessageContaining("chmod o-rwx " + file);
    }

    @Test
    @Tag("T-17")
    void shouldRefuseAKeyThatItsGroupMayWrite() throws IOException {
        // given
        Path file = Files.writeString(
                folder.resolve("key"), SigningKey.generate("ebb").signing().secret());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));

        // then
        assertThatThrownBy(() -> signer(file))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(
                        "its group may write the key of the receipts " + file + "; run 'chmod g-w " + file);
    }

    private static NoteSigner signer(Path file) {
        return ReceiptSigner.of(config(Map.of("receipts.key.file", file.toString())));
    }

    private static EbbConfig config(Map<String, String> flags) {
        return EbbConfig.load(new ConfigSources(null, Map.of(), flags));
    }
}
