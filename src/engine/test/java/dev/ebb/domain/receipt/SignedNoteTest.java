package dev.ebb.domain.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedNoteTest {

    /** Key, text and signature with which the package of Go tests itself. */
    private static final String SECRET =
            "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";

    private static final String PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    private static final String TEXT = "If you think cryptography is the answer to your problem,\n"
            + "then you don't know what your problem is.\n";
    private static final String NOTE = TEXT + "\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuG"
            + "UgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    @Test
    void shouldSignAsOthersDo() {
        assertThat(SigningKey.parse(SECRET).sign(TEXT)).hasToString(NOTE);
    }

    @Test
    void shouldVerifyANoteOfOthers() {
        SignedNote note = SignedNote.parse(NOTE);

        assertThat(note.text()).isEqualTo(TEXT);
        assertThat(VerifierKey.parse(PUBLIC).hasSigned(note)).isTrue();
    }

    @Test
    void shouldRefuseAnotherText() {
        SignedNote note = SignedNote.parse(NOTE.replace("answer", "Answer"));

        assertThat(VerifierKey.parse(PUBLIC).hasSigned(note)).isFalse();
    }

    @Test
    void shouldReadTheKeysThatItMakes() {
        // given
        SigningKey.Pair made = SigningKey.generate("ebb");
        SigningKey signing = SigningKey.parse(made.signing().secret() + "\n");
        VerifierKey verifying = VerifierKey.parse(made.verifying() + "\n");

        // then
        assertThat(verifying.hasSigned(signing.sign("a\n"))).isTrue();
        assertThat(verifying.name()).isEqualTo(signing.name());
        assertThat(VerifierKey.parse(PUBLIC).hasSigned(signing.sign("a\n"))).isFalse();
    }

    @Test
    void shouldTellKeysOfOneNameApart() {
        SigningKey.Pair old = SigningKey.generate("ebb");
        SigningKey.Pair renewed = SigningKey.generate("ebb");
        SignedNote note = renewed.signing().sign("a\n");

        assertThat(renewed.verifying().hasSigned(note)).isTrue();
        assertThat(old.verifying().hasSigned(note)).isFalse();
    }

    @Test
    void shouldWriteANoteWithoutSignatureWithoutKey() {
        SignedNote note = NoteSigner.NONE.sign("a\n");

        assertThat(note).hasToString("a\n\n");
        assertThat(SignedNote.parse(note.toString())).isEqualTo(note);
    }

    @Test
    void shouldReadTheCheckpointThatItWrites() {
        Checkpoint checkpoint = new Checkpoint("ebb/audit/0", 3, Hash.OF_NOTHING);

        assertThat(Checkpoint.parse(checkpoint.text())).isEqualTo(checkpoint);
        assertThat(Checkpoint.parse(checkpoint.text() + "more\n")).isEqualTo(checkpoint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ebb\n3\n", "\n3\nAAAA\n", "ebb\n03\nAAAA\n", "ebb\n3\nAAAA\n", "ebb\n-1\nAAAA\n"})
    void shouldRefuseWhatIsNoCheckpoint(String text) {
        assertThatThrownBy(() -> Checkpoint.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "ebb", "ebb+c74f20a3+AAAA", "Peter+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"})
    void shouldRefuseWhatIsNoPublicKey(String text) {
        assertThatThrownBy(() -> VerifierKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldNotShowASecretThatItCannotRead() {
        assertThatThrownBy(() -> SigningKey.parse("PRIVATE+KEY+ebb+00000000+c2VjcmV0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("c2VjcmV0");
    }
}
