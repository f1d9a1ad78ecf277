package io.trawl.pipeline.s3;

import io.trawl.model.Sha256;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests to S3 by the Signature Version 4 of AWS. Pure.
 *
 * @param region that signatures name
 * @param token of temporary keys
 */
record S3Signature(String accessKey, String secretKey, Optional<String> token, String region) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int DATE = 8;
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String MAC = "HmacSHA256";
    private static final int PLAIN_PORT = 80;
    private static final int TLS_PORT = 443;

    /**
     * The headers that a request needs besides {@code Host}.
     *
     * @param url with its path and query encoded by {@link #encoded}, the query in the order of its names
     * @param headers others that are signed
     */
    Map<String, String> headers(String method, URI url, Map<String, String> headers, byte[] body, Instant now) {
        String at = TIME.format(now);
        String scope = at.substring(0, DATE) + "/" + region + "/s3/aws4_request";
        Map<String, String> signed = new TreeMap<>(headers);
        signed.put("x-amz-content-sha256", Sha256.hex(body));
        signed.put("x-amz-date", at);
        token.ifPresent(value -> signed.put("x-amz-security-token", value));
        Map<String, String> all = new TreeMap<>(signed);
        all.put("host", host(url));
        String names = String.join(";", all.keySet());
        String request = method + "\n" + url.getRawPath() + "\n" + Optional.ofNullable(url.getRawQuery()).orElse("")
                + "\n" + all.entrySet().stream().map(header -> header.getKey() + ":" + header.getValue().strip() + "\n")
                        .collect(Collectors.joining())
                + "\n" + names + "\n" + Sha256.hex(body);
        String text = ALGORITHM + "\n" + at + "\n" + scope + "\n" + Sha256.hex(request);
        byte[] key = hmac(("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8), at.substring(0, DATE));
        for (String part : new String[]{region, "s3", "aws4_request"}) {
            key = hmac(key, part);
        }
        signed.put("authorization", ALGORITHM + " Credential=" + accessKey + "/" + scope + ",SignedHeaders=" + names
                + ",Signature=" + HexFormat.of().formatHex(hmac(key, text)));
        return signed;
    }

    /** The header {@code Host} that the JDK's client sends. */
    private static String host(URI url) {
        int port = url.getScheme().equals("https") ? TLS_PORT : PLAIN_PORT;
        return url.getPort() < 0 || url.getPort() == port ? url.getHost() : url.getHost() + ":" + url.getPort();
    }

    /** A text in a path or query. @param path whether slashes stay */
    static String encoded(String text, boolean path) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
                    || "-_.~".indexOf(c) >= 0;
            encoded.append(
                    plain || path && c == '/' ? Character.toString(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
        }
        return encoded.toString();
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has " + MAC, e);
        }
    }
}
