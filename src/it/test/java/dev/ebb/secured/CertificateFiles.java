package dev.ebb.secured;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A self-signed certificate for loopback with its key, in PEM as Kafka's clients and brokers read them. */
record CertificateFiles(Path certificate, Path keyAndCertificate) {

    private static final String PASSWORD = "changeit";

    static CertificateFiles make(Path folder, String name) {
        Path store = folder.resolve(name + ".p12");
        try {
            Process keytool = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            name,
                            "-keyalg",
                            "EC",
                            "-groupname",
                            "secp256r1",
                            "-dname",
                            "CN=" + name + ",OU=tests",
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1",
                            "-ext",
                            "bc:c=ca:true",
                            "-validity",
                            "2",
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            PASSWORD,
                            "-keystore",
                            store.toString()))
                    .inheritIO()
                    .start();
            if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new AssertionError("keytool failed for " + name);
            }
            return of(folder, name, store);
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CertificateFiles of(Path folder, String name, Path store)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        String certificate = pem("CERTIFICATE", keys.getCertificate(name).getEncoded());
        String key =
                pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
        return new CertificateFiles(
                Files.writeString(folder.resolve(name + ".crt"), certificate),
                Files.writeString(folder.resolve(name + ".pem"), key + certificate));
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + type
                + "-----\n";
    }
}
