package io.trawl.coordinator.webhook;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs messages by the Standard Webhooks specification, version 1: HMAC-SHA256 over id, time and body. Pure. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    /** @param timestamp in seconds since 1970 */
    static String of(byte[] key, String id, long timestamp, byte[] body) {
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        signed.writeBytes((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        signed.writeBytes(body);
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
