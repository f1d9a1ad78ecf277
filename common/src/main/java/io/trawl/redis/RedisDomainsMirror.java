package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.DomainsMirror;
import java.util.stream.Stream;

/** Accepted domains as a hash per run: the names, and {@code #version}. */
final class RedisDomainsMirror implements DomainsMirror {
    private final RedisConnection redis;
    private final Keys keys;

    RedisDomainsMirror(RedisConnection redis, Keys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    @Override
    public void write(Domains domains) {
        byte[][] arguments = Stream
                .concat(Stream.of(text(domains.version())), domains.domains().stream().map(RedisConnection::text))
                .toArray(byte[][]::new);
        redis.number(Script.DOMAINS_WRITE, keys.domains(domains.run()), arguments);
    }
}
