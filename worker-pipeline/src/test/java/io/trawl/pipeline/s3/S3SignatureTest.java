package io.trawl.pipeline.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The examples of the documentation of S3. */
class S3SignatureTest {
    private static final S3Signature EXAMPLE = new S3Signature("AKIAIOSFODNN7EXAMPLE",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", Optional.empty(), "us-east-1");
    private static final Instant AT = Instant.parse("2013-05-24T00:00:00Z");

    private static String authorization(String path, Map<String, String> headers) {
        return String.valueOf(EXAMPLE
                .headers("GET", URI.create("https://examplebucket.s3.amazonaws.com" + path), headers, new byte[0], AT)
                .get("authorization"));
    }

    @Test
    void aRequestForAnObjectIsSignedAsInTheDocumentation() {
        assertThat(authorization("/test.txt", Map.of("range", "bytes=0-9")))
                .isEqualTo("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @Test
    void aListIsSignedAsInTheDocumentation() {
        assertThat(authorization("/?max-keys=2&prefix=J", Map.of()))
                .endsWith("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    @Test
    void whatIsNotPlainIsEncoded() {
        assertThat(S3Signature.encoded("day=1/a b+ü~", true)).isEqualTo("day%3D1/a%20b%2B%C3%BC~");
        assertThat(S3Signature.encoded("a/b", false)).isEqualTo("a%2Fb");
    }
}
