package io.trawl.settings;

import io.trawl.field.Form;
import io.trawl.field.OneOf;
import io.trawl.field.Range;
import io.trawl.model.PolitenessKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Every setting of a process, with its default. {@code kafka().bootstrapServers()} is
 * {@code TRAWL_KAFKA_BOOTSTRAP_SERVERS} in the environment, and so on. Durations are written {@code 500ms}, {@code 2s},
 * {@code 1m}; sizes are in bytes. {@link SettingsReader} checks all settings at start.
 *
 * <p>
 * A setting is one method: its sentence for users, its default and its rules stand beside it. docs/configuration.md is
 * generated from them, with a heading and an introduction per group.
 */
public interface Settings {
    /** The prefix of the names of all topics, consumer groups and Redis keys of a deployment. */
    @Default("trawl.")
    @Form(regexp = Namespace.FORM, rule = Namespace.RULE)
    String namespace();

    /**
     * The folder in which the pipeline writes {@code items/} and {@code errors/}. All pipelines of a deployment share
     * it.
     */
    @Default("pages")
    Path out();

    /**
     * Private, loopback and other special networks that Trawl may fetch from, in CIDR notation, comma separated.
     */
    Optional<List<String>> allowNetwork();

    /**
     * What a delay, a limit of requests in flight and a back-off apply to: {@code host} (a host and port),
     * {@code domain} (all hosts of a registered domain, on all ports) or {@code ip} (within one downloader, all hosts
     * that it found at one address). A shared setting, which cannot be changed.
     */
    @Default("host")
    PolitenessKey politenessKey();

    /** The folder with the jars of your own parsers, item processors, fetchers and sinks. */
    Optional<Path> plugins();

    /**
     * The folder of crawl files that the leading coordinator applies, {@code docs/crawl-file.md}.
     */
    Optional<Path> crawls();

    /**
     * The longest time that a graceful shutdown may take. The process finishes work in flight within it, and leaves the
     * rest to other processes.
     */
    @Default("20s")
    Duration grace();

    /**
     * How long a process stays registered after its last renewal. It renews its registration every sixth of that time.
     */
    @Default("6s")
    @Range(min = "1s")
    Duration lease();

    /** Serial numbers. */
    SerialSettings serials();

    /** Kafka. */
    KafkaSettings kafka();

    /** Redis. */
    RedisSettings redis();

    /** HTTP endpoint. */
    HttpSettings http();

    /** Access. */
    ApiSettings api();

    /** Log. */
    LogSettings log();

    /** Traces. */
    TraceSettings traces();

    /** Metrics. */
    MetricsSettings metrics();

    /** Webhook. */
    WebhookSettings webhook();

    /** Topics. */
    TopicSettings topics();

    /** Ledger. */
    LedgerSettings ledger();

    /** Downloader. */
    DownloaderSettings downloader();

    /** Analyzer. */
    AnalyzerSettings analyzer();

    /** Pipeline. */
    PipelineSettings pipeline();

    /** The serial numbers in the names of processes, such as {@code D3}: shared settings. */
    interface SerialSettings {
        /** The smallest number; after the largest, the numbers begin here again. */
        @Default("1")
        @Range(min = "1", max = "9007199254740991")
        long start();

        /** The largest number. */
        @Default("999999999")
        @Range(min = "1", max = "9007199254740991")
        long largest();
    }

    /** The connection to Kafka. */
    interface KafkaSettings {
        /** The brokers to connect to first: {@code host:port}, comma separated. */
        @Default("localhost:9092")
        String bootstrapServers();

        /**
         * A properties file with settings of the Kafka clients, for example for SASL and TLS. It applies to every
         * client. Clients register no JMX beans and send the broker no metrics, unless it sets {@code metric.reporters}
         * or {@code enable.metrics.push}.
         */
        Optional<Path> configFile();
    }

    /** The connection to Redis. */
    interface RedisSettings {
        /** The address: {@code redis://[user:password@]host:port[/database]}, or {@code rediss://} for TLS. */
        @Default("redis://localhost:6379")
        String url();

        /**
         * A configuration file of Redisson, in YAML, instead of the address: for Sentinel, Cluster, replicated servers,
         * or settings of the client.
         */
        Optional<Path> configFile();
    }

    /**
     * Every process serves its summary, its metrics and its health over HTTP; a coordinator serves the REST interface
     * and the dashboard, too.
     */
    interface HttpSettings {
        /** The address to listen on. */
        @Default("127.0.0.1")
        String bind();

        /** The port to listen on; 0 for any free one, or 8080 for a coordinator. */
        @Default("0")
        @Range(min = "0", max = "65535")
        int port();

        /**
         * Names by which a reverse proxy on this machine asks for a process that listens on loopback, comma separated,
         * for example {@code crawl.example.org}. Such a process answers only calls whose {@code Host} header has a
         * loopback name or address, {@code TRAWL_HTTP_ADVERTISED} or one of these.
         */
        @Form(regexp = "[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?", rule = "names such as crawl.example.org, without a port")
        Optional<List<String>> hosts();

        /**
         * The address under which other processes reach this one, as in the MID. Default: the address that the process
         * listens on; if it listens on all, that of the machine's name, or, where that is a loopback address, the local
         * address of the route to Kafka.
         */
        Optional<String> advertised();
    }

    /**
     * Access to the REST interface of coordinators and to the direct calls of workers. Give all processes of a
     * deployment the same tokens.
     */
    interface ApiSettings {
        /** The form of a bearer token by RFC 6750 that is too long to be guessed. */
        String TOKEN = "[A-Za-z0-9._~+/=-]{16,256}";
        /** The same in words. */
        String TOKEN_RULE = "16 to 256 letters, digits or any of . _ ~ + / = -";

        /** The token of callers that may read, at least 16 characters. */
        @Form(regexp = TOKEN, rule = TOKEN_RULE, secret = true)
        Optional<String> readToken();

        /** The token of callers that may read and write, at least 16 characters. */
        @Form(regexp = TOKEN, rule = TOKEN_RULE, secret = true)
        Optional<String> writeToken();

        /**
         * A JSON file with the tokens of a team, each with a name and a role, and quotas; {@code docs/security.md} has
         * its format. It is read again when it changes. It needs {@code TRAWL_API_INTERNAL_KEY}.
         */
        Optional<Path> tokensFile();

        /**
         * The key with which processes of a deployment sign calls to each other, at least 16 characters. It is never
         * sent. Default: a key that is derived from the token of callers that may write, or else that may read.
         */
        @Form(regexp = TOKEN, rule = TOKEN_RULE, secret = true)
        Optional<String> internalKey();

        /**
         * What callers without a token may do: {@code none}, {@code read} or {@code write}. Default: {@code write} if
         * no token is set and the process listens on loopback only, else {@code none}.
         */
        Optional<Role> anonymous();
    }

    /** The log that a process writes to standard error. */
    interface LogSettings {
        /**
         * {@code text} writes lines for people; {@code json} writes one object per event for log collectors, with
         * {@code mid}, {@code crawl} and {@code url}.
         */
        @Default("text")
        @OneOf({"text", "json"})
        String format();

        /** The lowest level that is logged: {@code ERROR}, {@code WARN}, {@code INFO} or {@code DEBUG}. */
        @Default("INFO")
        @OneOf({"ERROR", "WARN", "INFO", "DEBUG"})
        String level();
    }

    /**
     * Traces of single URLs through all stages, by OpenTelemetry. Give all processes of a deployment the same values.
     */
    interface TraceSettings {
        /**
         * The collector that receives spans by OTLP over HTTP, for example {@code http://collector:4318/v1/traces}.
         * Without it Trawl traces nothing.
         */
        Optional<String> endpoint();

        /**
         * The share of seeds and found URLs that Trawl traces. The trace context of a seed, if it has one, decides for
         * that seed.
         */
        @Default("0.01")
        @Range(min = "0", max = "1")
        double share();
    }

    /** What coordinators measure of single crawls. */
    interface MetricsSettings {
        /**
         * How many crawls have metrics of their own: those that were active last. The others are added up under the
         * name {@code other}.
         */
        @Default("20")
        @Range(min = "0", max = "1000")
        int crawls();
    }

    /** The receiver of the events of all crawls. A crawl can name receivers of its own. */
    interface WebhookSettings {
        /** The URL that receives the events. */
        Optional<String> url();

        /**
         * The secret that signs them by the Standard Webhooks specification: {@code whsec_} and the Base64 of 24 to 64
         * bytes.
         */
        Optional<String> secret();
    }

    /**
     * The first coordinator of a deployment creates the topics by these settings. Levels, partitions and capacity are
     * shared settings.
     */
    interface TopicSettings {
        /** The number of priorities. Downloaders serve the largest number first. */
        @Default("3")
        @Range(min = "1", max = "10")
        int levels();

        /**
         * Partitions of each request topic, and so the largest number of downloaders that can work at the same time.
         */
        @Default("8")
        @Range(min = "1", max = "10000")
        int requestPartitions();

        /** Partitions of {@code responses}, and so the largest number of analyzers. */
        @Default("8")
        @Range(min = "1", max = "10000")
        int responsePartitions();

        /** Partitions of {@code items}, and so the largest number of pipelines. */
        @Default("4")
        @Range(min = "1", max = "10000")
        int itemPartitions();

        /** Partitions of {@code ledger}. */
        @Default("4")
        @Range(min = "1", max = "1000")
        int ledgerPartitions();

        /**
         * How many requests may wait at the highest priority before the coordinator refuses seeds. The next priority
         * takes twice as many, then three times; 0 for no limit. A shared setting, {@code capacity}.
         */
        @Default("10000000")
        @Range(min = "0", max = "1125899906842624")
        long capacity();

        /**
         * Segment size of the topics that are trimmed, in bytes. Brokers free disk space by whole segments.
         */
        @Default("16777216")
        @Range(min = "1048576", max = "1073741824")
        int segmentBytes();

        /**
         * How many bytes of {@code ledger} the leader lets grow, at least, before it writes a snapshot of the sums and
         * deletes the records below the snapshot before. A coordinator that starts reads the last snapshot and what
         * came after it. It waits for twice the size of the last snapshot if that is more.
         */
        @Default("33554432")
        @Range(min = "1024", max = "1099511627776")
        long ledgerSnapshot();

        /** How often each process deletes the records that its consumer group has committed. */
        @Default("1m")
        @Range(min = "100ms")
        Duration trimInterval();

        /**
         * How long records of {@code items} stay at least after the pipelines have committed them, for consumer groups
         * of others. By default they do not.
         */
        @Default("0s")
        @Range(min = "0s", max = "365d")
        Duration itemsKeep();

        /** Replicas of each partition; -1 for the default of the broker. */
        @Default("-1")
        short replication();
    }

    /** The facts about URLs, which Redis keeps. */
    interface LedgerSettings {
        /** Entries of an analyzer's cache of facts that Redis returned; fewer in a heap below 700 MiB. */
        @Default("500000")
        @Range(min = "0", max = "100000000")
        int cache();
    }

    /** What a downloader fetches at a time, how it retries, and how much it keeps in memory. */
    interface DownloaderSettings {
        /**
         * The largest number of requests in flight. Without it, as many as hosts are ready, the heap has room for and
         * the process may open connections.
         */
        @Range(min = "1", max = "100000")
        Optional<Integer> concurrency();

        /**
         * The largest number of requests in flight per host. If it is more than one, they begin at least the delay of
         * the host apart.
         */
        @Default("1")
        @Range(min = "1", max = "1000")
        int perHost();

        /**
         * One number per priority, the highest first, for example {@code 90,7,3}: the shares of the turns that the
         * priorities get. Without it the highest priority always goes first.
         */
        @Range(min = "1", max = "1000000")
        Optional<List<Integer>> shares();

        /**
         * How long a silent downloader keeps its partitions. It renews its leases every second. Choose a time that is
         * longer than a restart of Redis.
         */
        @Default("10s")
        @Range(min = "2s", max = "10m")
        Duration lease();

        /**
         * The name servers that the downloader asks, comma separated, each {@code 192.0.2.1}, {@code 192.0.2.1:5353} or
         * {@code [2001:db8::1]:5353}; or {@code system}: the resolver of the system looks up all names, 32 at a time.
         * By default the name servers of {@code /etc/resolv.conf}, and the system for local names.
         */
        Optional<List<String>> nameServers();

        /** The largest body, in bytes after decompression. A longer body is cut, and marked as truncated. */
        @Default("8388608")
        @Range(min = "1024", max = "536870912")
        int bodyLimit();

        /** The longest time to connect. */
        @Default("10s")
        Duration connectTimeout();

        /** The longest silence of the server while the downloader waits for a response. */
        @Default("30s")
        Duration responseTimeout();

        /** The longest time for a whole fetch, from when the address of its host is known. */
        @Default("60s")
        Duration totalTimeout();

        /**
         * Whether the downloader offers HTTP/2 to servers with TLS. It is off because HTTP/2 gives a hostile server
         * more ways to cost memory, and a crawler with one request per connection gains little. The downloader ends a
         * connection with more than 200 control frames in one exchange, or 5000 in all.
         */
        @Default("false")
        boolean http2();

        /** Retries after a connection failure, a time-out or a broken response. */
        @Default("2")
        @Range(min = "0", max = "100")
        int retriesFailure();

        /** Retries after a response with status 5xx or 429. */
        @Default("2")
        @Range(min = "0", max = "100")
        int retriesStatus();

        /** The back-off before the first retry at a host. It doubles with each retry, with jitter. */
        @Default("2s")
        Duration backOff();

        /** The longest back-off, and the longest Retry-After and crawl-delay that the downloader waits for. */
        @Default("5m")
        Duration longestPause();

        /**
         * The delay of a host is at least this multiple of its last response time. 0 turns the rule off, and so does a
         * delay of 0ms.
         */
        @Default("1.0")
        @Range(min = "0", max = "100")
        double adaptiveFactor();

        /** How long a robots.txt stays valid. */
        @Default("24h")
        Duration robotsTtl();

        /**
         * After this number of failures in a row to get any response from a host, the downloader closes the host for a
         * while; 0 for never.
         */
        @Default("10")
        @Range(min = "0", max = "1000000")
        int giveUpFailures();

        /**
         * How long the host stays closed before the downloader probes it with one request. The time doubles with each
         * failed probe.
         */
        @Default("5m")
        @Range(min = "1ms")
        Duration giveUpPause();

        /** The longest time that a host stays closed. */
        @Default("1h")
        Duration giveUpLongestPause();

        /**
         * How often a host is closed before the downloader gives it up: for the next such time it answers the requests
         * of the host as failures without sending them.
         */
        @Default("3")
        @Range(min = "0", max = "1000")
        int giveUpRounds();

        /**
         * The program of the fetcher {@code browser}, for example {@code /usr/bin/chromium}. Without it there is no
         * such fetcher.
         */
        Optional<Path> browser();

        /**
         * Further arguments of the browser, comma separated, for example {@code --no-sandbox} where it runs as root in
         * a container.
         */
        Optional<List<String>> browserArguments();

        /**
         * The folder of the WARC files that answer crawls with {@code fetch.replay}, the same for all downloaders.
         * Without it there are none.
         */
        Optional<Path> archives();

        /** How many pages the browser renders at a time. */
        @Default("4")
        @Range(min = "1", max = "100")
        int browserPages();

        /**
         * How many pending requests the index holds in memory, at one to three bytes each, before scanning pauses. A
         * host counts as a hundred more. Lower priorities pause at two thirds of it.
         */
        @Default("40000000")
        @Range(min = "100", max = "1000000000")
        int pending();

        /**
         * Memory for the bodies of pending requests, in bytes. The downloader reads bodies that do not fit from Kafka
         * again before their turn.
         */
        @Default("67108864")
        @Range(min = "1000", max = "1099511627776")
        long pendingBytes();

        /**
         * A request that waits for longer than this, and whose record alone keeps later ones from being deleted, is
         * written again at the end of its partition. 0s for never.
         */
        @Default("10m")
        Duration stragglerAge();

        /**
         * Such requests are written again when at least this many records can be deleted then, and sixteen for each of
         * them.
         */
        @Default("10000")
        @Range(min = "1", max = "1000000000")
        int stragglerRecords();

        /**
         * Downloaders begin no fetch while more responses than this wait for analyzers, and resume below 80 % of it; 0
         * for no limit. A shared setting, {@code responseBacklog}.
         */
        @Default("20000")
        @Range(min = "0", max = "1125899906842624")
        long responseBacklog();

        /**
         * The same limit in bytes of bodies, estimated from the mean body of this process; 0 for no limit. A shared
         * setting, {@code responseBacklogBytes}.
         */
        @Default("4294967296")
        @Range(min = "0", max = "1152921504606846976")
        long responseBacklogBytes();
    }

    /** How an analyzer parses pages and admits links. */
    interface AnalyzerSettings {
        /** Parsing threads; 0 for one per core. */
        @Default("0")
        @Range(min = "0", max = "1024")
        int threads();

        /** The largest number of responses in one transaction. */
        @Default("200")
        @Range(min = "1", max = "10000")
        int batch();

        /**
         * The longest time that parsing one page may take. All pages of a batch together get 60 s; pages that are not
         * parsed by then fail with PARSE.
         */
        @Default("10s")
        Duration parseTimeout();

        /** The longest chain of redirects that the analyzer follows. */
        @Default("10")
        @Range(min = "0", max = "100")
        int redirects();

        /** The longest URL that the analyzer admits, in characters. */
        @Default("2048")
        @Range(min = "64", max = "65536")
        int urlLength();

        /** The largest number of links of one page that the analyzer considers. */
        @Default("10000")
        @Range(min = "1", max = "1000000")
        int linksPerPage();

        /**
         * The largest number of elements, attributes and tags of one page that the analyzer reads; fewer in a heap
         * below 680 MiB. A page with more is cut, and marked as truncated.
         */
        @Default("1000000")
        @Range(min = "1000", max = "100000000")
        int nodesPerPage();

        /**
         * The largest number of parsing threads that may be stuck in pages that exceeded their time. With more, the
         * analyzer stores these pages as errors and ends, for its orchestrator to restart it.
         */
        @Default("4")
        @Range(min = "0", max = "1024")
        int stuckThreads();

        /**
         * Analyzers begin no batch while more items than this are not stored, and resume below 80 % of it; 0 for no
         * limit. A pipeline closes a file before its items take a quarter of the limit, so that analyzers do not wait
         * for items in open files. A shared setting, {@code itemBacklog}.
         */
        @Default("1000000")
        @Range(min = "0", max = "1125899906842624")
        long itemBacklog();

        /**
         * The same limit in bytes, estimated from the mean item of this process; 0 for no limit. A shared setting,
         * {@code itemBacklogBytes}.
         */
        @Default("4294967296")
        @Range(min = "0", max = "1152921504606846976")
        long itemBacklogBytes();
    }

    /** When a pipeline closes an output file. */
    interface PipelineSettings {
        /** The size at which the pipeline closes a file, in bytes. */
        @Default("67108864")
        @Range(min = "1")
        long fileSize();

        /**
         * The time without new items after which the pipeline closes a file, if it has closed none of that partition
         * for the age of a file.
         */
        @Default("10s")
        Duration fileIdle();

        /**
         * The age at which the pipeline closes a file: at most 288 files per run, partition and day, besides full ones.
         */
        @Default("5m")
        Duration fileAge();

        /**
         * How long a pipeline waits for a sink that is not files to store a batch of items. Then the call has failed,
         * and other sinks go on.
         */
        @Default("30s")
        @Range(min = "1s", max = "90s")
        Duration sinkTimeout();
    }
}
