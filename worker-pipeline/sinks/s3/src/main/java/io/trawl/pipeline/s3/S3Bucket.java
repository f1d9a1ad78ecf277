package io.trawl.pipeline.s3;

import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.SettingValues;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket, as a crawl names it.
 *
 * @param url of the bucket, with its name as the first part of the path, which every server understands
 * @param prefix of all keys
 * @param signature absent if no keys are known: requests are anonymous
 */
record S3Bucket(String url, String prefix, Optional<S3Signature> signature, Duration timeout) {
    private static final Pattern KEY = Pattern.compile("<Key>([^<]*)</Key>");
    private static final byte[] NOTHING = {};

    /**
     * The bucket of a crawl.
     *
     * @param environment of this process, which has the keys if the settings have none
     * @param timeout of a request
     * @throws CrawlVariables.UnsetVariableException if a secret is not set in this process
     */
    static S3Bucket of(Map<String, Object> settings, CrawlVariables variables, Map<String, String> environment,
            Duration timeout) {
        SettingValues values = BuiltInSink.S3.values(settings);
        String region = values.text("region");
        String endpoint = values.find("endpoint").orElse("https://s3." + region + ".amazonaws.com").replaceFirst("/+$",
                "");
        Optional<String> accessKey = values.find("accessKey").map(variables::resolve);
        Optional<String> secretKey = values.find("secretKey").map(variables::resolve);
        Optional<S3Signature> signature = accessKey.isPresent()
                ? Optional.of(new S3Signature(accessKey.get(), secretKey.orElse(""), Optional.empty(), region))
                : Optional.ofNullable(environment.get("AWS_ACCESS_KEY_ID"))
                        .map(key -> new S3Signature(key, environment.getOrDefault("AWS_SECRET_ACCESS_KEY", ""),
                                Optional.ofNullable(environment.get("AWS_SESSION_TOKEN")), region));
        return new S3Bucket(endpoint + "/" + values.text("bucket"), values.text("prefix"), signature, timeout);
    }

    /** Creates an object, unless the key is taken. */
    HttpRequest create(String key, String type, Map<String, String> metadata, byte[] body, Time time) {
        HttpRequest.Builder request = request("PUT", "/" + S3Signature.encoded(key, true), metadata, body, time);
        return request.header("If-None-Match", "*").header("Content-Type", type).build();
    }

    /** Asks for the metadata of an object. */
    HttpRequest head(String key, Time time) {
        return request("HEAD", "/" + S3Signature.encoded(key, true), Map.of(), NOTHING, time).build();
    }

    /** Asks for an object. */
    HttpRequest get(String key, Time time) {
        return request("GET", "/" + S3Signature.encoded(key, true), Map.of(), NOTHING, time).build();
    }

    /** Lists at most a thousand keys with a prefix behind a key. */
    HttpRequest list(String keys, String after, Time time) {
        return request("GET", "/?list-type=2&prefix=" + S3Signature.encoded(keys, false) + "&start-after="
                + S3Signature.encoded(after, false), Map.of(), NOTHING, time).build();
    }

    private HttpRequest.Builder request(String method, String path, Map<String, String> headers, byte[] body,
            Time time) {
        URI at = URI.create(url + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(at).timeout(timeout).header("User-Agent", "Trawl").method(
                method,
                body.length == 0 ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
        signature.map(signs -> signs.headers(method, at, headers, body, time.now())).orElse(headers)
                .forEach(request::header);
        return request;
    }

    /** The keys of a list. @throws IOException if it is none */
    static List<String> keys(String list) throws IOException {
        if (!list.contains("<ListBucketResult")) {
            throw new IOException("the server answers no list of objects");
        }
        List<String> keys = new ArrayList<>();
        for (Matcher key = KEY.matcher(list); key.find();) {
            keys.add(key.group(1));
        }
        return keys;
    }
}
