package io.trawl.definition.sink;

import static io.trawl.definition.sink.SinkSetting.gone;
import static io.trawl.definition.sink.SinkSetting.like;
import static io.trawl.definition.sink.SinkSetting.optional;
import static io.trawl.definition.sink.SinkSetting.required;
import static io.trawl.definition.sink.SinkSetting.secret;
import static io.trawl.definition.sink.SinkSetting.write;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sinks of Trawl that are not files, and the settings of each. Definitions are checked by them, and the sinks read
 * their settings with them. Those of {@code together} have no meaning alone.
 */
public enum BuiltInSink {
    /** A table of a database. */
    POSTGRESQL(
            "postgresql", List.of(), List
                    .of(required("url", url -> PostgresqlUrl.parse(url).isPresent(), PostgresqlUrl.RULE),
                            optional("user", PostgresqlUrl::isName, PostgresqlUrl.NAME_RULE), secret("password"),
                            optional("schema", PostgresqlUrl::isName, PostgresqlUrl.NAME_RULE).usually("public"),
                            optional("table", PostgresqlUrl::isName, PostgresqlUrl.NAME_RULE),
                            optional("sslmode", like("disable|prefer|require|verify-ca|verify-full"),
                                    "disable, prefer, require, verify-ca, verify-full").usually("prefer"),
                            write(), gone())),
    /** A topic of the deployment's own Kafka cluster. */
    KAFKA("kafka", List.of(),
            List.of(required("topic", like("(?!__)(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}"),
                    "the name of a topic: 1 to 249 characters of A-Z a-z 0-9 . _ -, which does not begin with __"),
                    write(), gone())),
    /** An index of OpenSearch. */
    OPENSEARCH("opensearch", List.of("user", "password"), List.of(
            required("url", SinkSetting::isUrl, SinkSetting.URL_RULE),
            optional("index", like("(?=.{1,150}$)([a-z0-9]|\\{crawl})([a-z0-9._-]|\\{crawl})*"),
                    "1 to 150 characters of a-z 0-9 . _ -, the first a letter or digit; {crawl} stands for the name of the crawl")
                    .usually("{crawl}"),
            optional("user", like("[^:\\p{Cntrl}]{1,200}"), "1 to 200 characters without a colon"), secret("password"),
            optional("template", like("true|false"), "true or false").usually("true"), write(), gone())),
    /** Objects in a bucket. */
    S3("s3", List.of("accessKey", "secretKey"),
            List.of(required("bucket", like("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"), "3 to 63 characters of a-z 0-9 . -"),
                    optional("endpoint", SinkSetting::isUrl, SinkSetting.URL_RULE),
                    optional("region", like("[a-z0-9-]{1,40}"), "1 to 40 characters of a-z 0-9 -").usually("us-east-1"),
                    optional("prefix", like("(?!/)(?!.*(//|\\.\\./))[A-Za-z0-9_.=/-]{1,200}"),
                            "1 to 200 characters of A-Z a-z 0-9 _ . = / -, the first not a slash, without // and ../")
                            .usually(""),
                    optional("format", like("jsonl|csv"), "jsonl or csv").usually(SinkDefinition.JSON_LINES),
                    secret("accessKey"), secret("secretKey")));

    private final String type;
    private final List<String> together;
    private final List<SinkSetting> settings;

    BuiltInSink(String type, List<String> together, List<SinkSetting> settings) {
        this.type = type;
        this.together = together;
        this.settings = settings;
    }

    /** The sink of a type. */
    public static Optional<BuiltInSink> of(String type) {
        return Arrays.stream(values()).filter(sink -> sink.type.equals(type)).findFirst();
    }

    /** The types of all of them. */
    public static List<String> types() {
        return Arrays.stream(values()).map(BuiltInSink::type).toList();
    }

    /** The names of all settings that are secrets. */
    public static List<String> secrets() {
        return Arrays.stream(values()).flatMap(sink -> sink.settings.stream()).filter(SinkSetting::secret)
                .map(SinkSetting::name).distinct().toList();
    }

    /** The type by which crawls choose it. */
    public String type() {
        return type;
    }

    /** What it needs to know. */
    public List<SinkSetting> settings() {
        return settings;
    }

    /** The settings of which a crawl gives all or none. */
    public List<String> together() {
        return together;
    }

    /** A setting that it has. */
    public SinkSetting setting(String name) {
        return settings.stream().filter(setting -> setting.name().equals(name)).findFirst().orElseThrow();
    }

    /** Its settings as a crawl has them. */
    public SettingValues values(Map<String, Object> given) {
        return new SettingValues(this, given);
    }
}
