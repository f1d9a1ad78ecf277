package io.trawl.testkit.hostile;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStore.PasswordProtection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Certificates of an authority that only the tested crawl trusts. keytool makes them, in a temporary folder.
 * Thread-safe.
 */
public final class TestCertificates {
    private static final String PASSWORD = "changeit";
    private static final String ADDRESSES = "SAN=ip:" + HostileCase.CaseGroup.TLS.address();
    private final KeyStore keys;
    private final Path trusted;

    /** The certificates. */
    public enum Certificate {
        VALID("-signer", "ca", "-ext", ADDRESSES), WRONG_HOST("-signer", "ca", "-ext",
                "SAN=dns:elsewhere.example"), EXPIRED("-signer", "ca", "-ext", ADDRESSES, "-startdate",
                        "2020/01/01 00:00:00", "-validity", "10"), NOT_YET_VALID("-signer", "ca", "-ext", ADDRESSES,
                                "-startdate", "2090/01/01 00:00:00"), SELF_SIGNED("-ext", ADDRESSES);

        private final List<String> options;

        Certificate(String... options) {
            this.options = List.of(options);
        }

        private String alias() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private TestCertificates(KeyStore keys, Path trusted) {
        this.keys = keys;
        this.trusted = trusted;
    }

    /** Makes them in this folder. */
    static TestCertificates make(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("keys.p12");
        keytool(store, "ca", List.of("-ext", "bc:c"));
        for (Certificate certificate : Certificate.values()) {
            keytool(store, certificate.alias(), certificate.options);
        }
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        KeyStore anchors = empty();
        anchors.setCertificateEntry("ca", keys.getCertificate("ca"));
        Path trusted = folder.resolve("trusted.p12");
        try (OutputStream out = Files.newOutputStream(trusted)) {
            anchors.store(out, PASSWORD.toCharArray());
        }
        return new TestCertificates(keys, trusted);
    }

    private static void keytool(Path store, String alias, List<String> options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC", "-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", "CN=" + alias,
                "-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + said);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD.toCharArray());
        return store;
    }

    /** The TLS of a server with one of them. */
    SSLContext context(Certificate certificate) throws IOException {
        try {
            return contextOf(certificate);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private SSLContext contextOf(Certificate certificate) throws GeneralSecurityException, IOException {
        PasswordProtection password = new PasswordProtection(PASSWORD.toCharArray());
        KeyStore one = empty();
        one.setEntry("server", keys.getEntry(certificate.alias(), password), password);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(one, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** The options with which a JVM trusts the authority. */
    List<String> jvmOptions() {
        return List.of("-Djavax.net.ssl.trustStore=" + trusted, "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    }
}
