package io.trawl.settings;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.trawl.model.Role;
import io.trawl.model.PolitenessKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Every setting of a process, with its default: the one place. {@code kafka().bootstrapServers()} is {@code TRAWL_KAFKA_BOOTSTRAP_SERVERS} in the
 * environment, and so on. Durations are {@code 500ms}, {@code 2s}, {@code 1m}; sizes are bytes. Checked as a whole at start by
 * {@link SettingsReader}.
 */
@ConfigMapping(prefix = "trawl")
public interface Settings {
    /** Begins the names of all topics, groups and Redis keys of a deployment. */
    @WithDefault("trawl.")
    String namespace();

    /** Where the pipeline writes {@code items/} and {@code errors/}; one folder shared by all pipelines. */
    @WithDefault("pages")
    Path out();

    /** Networks (CIDR, comma separated) that may be fetched from although they are private, loopback or otherwise special. */
    Optional<List<String>> allowNetwork();

    /**
     * What a delay holds for: {@code host} (a host and port) or {@code domain} (all hosts of a registered domain), or within one
     * downloader {@code ip} (all hosts that it found at one address); the first coordinator of a deployment says it for the whole fleet, for good.
     */
    @WithDefault("host")
    PolitenessKey politenessKey();

    /** A folder with jars of your own: parsers, item processors. */
    Optional<Path> plugins();

    /** How long a stop may take: what is in flight is finished within it, the rest is left for others. */
    @WithDefault("20s")
    Duration grace();

    /** How long a module that does not renew stays registered; it renews every sixth of that. */
    @WithDefault("6s")
    Duration lease();

    /** Kafka. */
    Kafka kafka();

    /** Redis. */
    Redis redis();

    /** The process's own HTTP endpoint. */
    Http http();

    /** Who may call. */
    Api api();

    /** The log. */
    Log log();

    /** Following single URLs through all stages. */
    Traces traces();

    /** Who is told of events. */
    Webhook webhook();

    /** The topics, as a coordinator makes them. */
    TopicSettings topics();

    /** The ledger. */
    LedgerSettings ledger();

    /** The downloader. */
    Downloader downloader();

    /** The analyzer. */
    Analyzer analyzer();

    /** The pipeline. */
    Pipeline pipeline();

    /** Kafka. */
    interface Kafka {
        /** {@code host:port}, comma separated. */
        @WithDefault("localhost:9092")
        String bootstrapServers();

        /** A properties file of Kafka client settings (SASL, TLS) that is applied to every client. */
        Optional<Path> configFile();
    }

    /** Redis. */
    interface Redis {
        /** {@code redis://[user:password@]host:port[/database]}, or {@code rediss://} for TLS. */
        @WithDefault("redis://localhost:6379")
        String url();
    }

    /** The process's own HTTP endpoint. */
    interface Http {
        /** The address to listen on. */
        @WithDefault("127.0.0.1")
        String bind();

        /** The port to listen on; 0: any free one. A coordinator that leaves it 0 takes 8080. */
        @WithDefault("0")
        int port();

        /** The address in the MID, under which others reach this process; by default the address it listens on, or the machine's own if it listens on all. */
        Optional<String> advertised();
    }

    /** Who may call a coordinator's REST interface, and the direct calls of workers. */
    interface Api {
        /** The token of callers that may look, at least 16 characters; the same in every process of a deployment. */
        Optional<String> readToken();

        /** The token of callers that may change something, at least 16 characters; the same in every process of a deployment. */
        Optional<String> writeToken();

        /** What callers without a token may do: {@code none}, {@code read} or {@code write}; by default {@code write} if there are no tokens and the process listens on loopback only, else {@code none}. */
        Optional<Role> anonymous();
    }

    /** The log of a process of its own, on standard error; {@code logback.xml} reads the same variables. */
    interface Log {
        /** {@code text}: a line for people; {@code json}: an object per event, for collectors. */
        @WithDefault("text")
        String format();

        /** The least serious events that are logged: {@code ERROR}, {@code WARN}, {@code INFO} or {@code DEBUG}. */
        @WithDefault("INFO")
        String level();
    }

    /** Following single URLs through all stages, by OpenTelemetry; the same in every process of a deployment. */
    interface Traces {
        /** Where spans are sent by OTLP over HTTP, for example {@code http://collector:4318/v1/traces}; by default nothing is traced. */
        Optional<String> endpoint();

        /** The share of seeds and found URLs that are traced, 0 to 1; a seed that comes with a trace context is traced if that says so. */
        @WithDefault("0.01")
        double share();
    }

    /** Who is told of the events of all crawls. */
    interface Webhook {
        /** Where they are sent. */
        Optional<String> url();

        /** What they are signed with, by the Standard Webhooks specification: {@code whsec_} and the Base64 of 24 to 64 bytes. */
        Optional<String> secret();
    }

    /** The topics. */
    interface TopicSettings {
        /** The number of priorities, 1 to 10; the larger number is served first. */
        @WithDefault("3")
        int levels();

        /** Partitions of each request topic: the most downloaders that can work at a time. */
        @WithDefault("8")
        int requestPartitions();

        /** Partitions of {@code responses}: the most analyzers. */
        @WithDefault("8")
        int responsePartitions();

        /** Partitions of {@code items}: the most pipelines. */
        @WithDefault("4")
        int itemPartitions();

        /** Partitions of {@code ledger}. */
        @WithDefault("4")
        int ledgerPartitions();

        /** How many requests may wait at the highest priority before seeds are refused; the next takes twice that, then three times; 0: no limit. */
        @WithDefault("10000000")
        long capacity();

        /** Copies of each partition; -1: what the broker says. */
        @WithDefault("-1")
        short replication();
    }

    /** The ledger. */
    interface LedgerSettings {
        /** Hash buckets per run: about one for every 240 expected URLs keeps Redis' compact encoding; at most 16,777,216. */
        @WithDefault("65536")
        int buckets();

        /** How many entries the local cache of what Redis has said may hold. */
        @WithDefault("500000")
        int cache();
    }

    /** The downloader. */
    interface Downloader {
        /** Requests in flight in all. */
        @WithDefault("64")
        int concurrency();

        /** Requests in flight per host; with more than one, they begin at least the host's delay apart. */
        @WithDefault("1")
        int perHost();

        /** Shares of the turns by priority, comma separated, the highest first ({@code 90,7,3}), one for each level; none: the highest goes first, always. */
        Optional<List<Integer>> shares();

        /** How long a partition is kept from others when its downloader is silent; a renewal is sent every second. Longer than a restart of Redis takes. */
        @WithDefault("10s")
        Duration lease();

        /** The largest body, in bytes, inflated; what is longer is cut and marked. */
        @WithDefault("8388608")
        int bodyLimit();

        /** The longest time to connect. */
        @WithDefault("10s")
        Duration connectTimeout();

        /** The longest silence while waiting for an answer. */
        @WithDefault("30s")
        Duration responseTimeout();

        /** The longest time for one fetch in all. */
        @WithDefault("60s")
        Duration totalTimeout();

        /** How often a connection failure, a time-out or a broken answer is tried again. */
        @WithDefault("2")
        int retriesFailure();

        /** How often a 5xx or 429 answer is tried again. */
        @WithDefault("2")
        int retriesStatus();

        /** The pause before the first retry of a host; doubled each time, with jitter. */
        @WithDefault("2s")
        Duration backOff();

        /** The longest pause before a retry, and the longest Retry-After or crawl-delay that is waited for. */
        @WithDefault("5m")
        Duration longestPause();

        /** The delay of a host is at least this multiple of its last response time; 0 turns it off, and so does a delay of 0ms. */
        @WithDefault("1.0")
        double adaptiveFactor();

        /** How long a robots.txt is believed. */
        @WithDefault("24h")
        Duration robotsTtl();

        /** After so many failures in a row to get any answer from a host it is closed for a while; 0: never. */
        @WithDefault("10")
        int giveUpFailures();

        /** For how long such a host is closed before one request is tried; doubled each time that fails. */
        @WithDefault("5m")
        Duration giveUpPause();

        /** The most that this grows to. */
        @WithDefault("1h")
        Duration giveUpLongestPause();

        /** How often a host is closed before it is given up: for the next such time its requests are answered as failures without being sent. */
        @WithDefault("3")
        int giveUpRounds();

        /** How many pending requests the index may hold in memory before scanning pauses. */
        @WithDefault("40000000")
        int pending();

        /** Memory for the bodies of pending requests, in bytes; those that do not fit are read from the log again before their turns. */
        @WithDefault("67108864")
        long pendingBytes();

        /** No fetch begins while more responses than this wait for analyzers; goes on below 80 % of it; 0: no limit. */
        @WithDefault("20000")
        long responseBacklog();

        /** The same in bytes of bodies, estimated by the mean of this process's answers; 0: no limit. */
        @WithDefault("4294967296")
        long responseBacklogBytes();
    }

    /** The analyzer. */
    interface Analyzer {
        /** Parsing threads; 0: one per core. */
        @WithDefault("0")
        int threads();

        /** Responses per transaction at most. */
        @WithDefault("200")
        int batch();

        /** The longest time that parsing one page may take. */
        @WithDefault("10s")
        Duration parseTimeout();

        /** Redirects in a row that are followed. */
        @WithDefault("10")
        int redirects();

        /** The longest URL that is admitted, in characters. */
        @WithDefault("2048")
        int urlLength();

        /** Links of one page that are considered. */
        @WithDefault("10000")
        int linksPerPage();
    }

    /** The pipeline. */
    interface Pipeline {
        /** A file is closed at this size, in bytes. */
        @WithDefault("67108864")
        long fileSize();

        /** A file is closed when nothing has been added for this long. */
        @WithDefault("10s")
        Duration fileIdle();
    }
}
