package dev.ebb.receipt;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.files.TrustedFile;
import dev.ebb.files.UnsafeFileException;
import dev.ebb.runtime.life.RefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the key of the receipts at the start. Stateless. */
public final class ReceiptSigner {

    private static final Logger LOG = LoggerFactory.getLogger(ReceiptSigner.class);

    private ReceiptSigner() {}

    /**
     * Returns the signer with the key in the configured file, or one that signs nothing if none is configured; throws
     * {@link RefusedException} if the file holds no key, or if others than its owner may write it.
     */
    public static NoteSigner of(EbbConfig config) {
        return config.get(Settings.RECEIPTS_KEY_FILE).map(ReceiptSigner::read).orElse(NoteSigner.NONE);
    }

    private static NoteSigner read(Path file) {
        try {
            TrustedFile.checkKey(file, "key of the receipts");
            SigningKey key = SigningKey.parse(Files.readString(file, StandardCharsets.UTF_8));
            LOG.atInfo().addKeyValue("key", key.name()).log("checkpoints of the audit are signed");
            return key;
        } catch (UnsafeFileException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new RefusedException("the key of the receipts in " + file + " cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new RefusedException("the key of the receipts in " + file + " cannot be used: " + e.getMessage());
        }
    }
}
