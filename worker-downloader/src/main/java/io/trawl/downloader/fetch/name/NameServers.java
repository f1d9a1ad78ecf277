package io.trawl.downloader.fetch.name;

import io.netty.channel.AddressedEnvelope;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.util.concurrent.Future;
import io.trawl.settings.NameServerAddress;
import io.trawl.time.Time;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Recursive name servers (RFC 1035), asked over UDP, and over TCP if an answer is cut. A server has a second to answer;
 * the next one is asked then, or the same one again, so that each question has two tries at least. Each query has a
 * port of its own (RFC 5452), so that only those who can read it can answer it. Servers that an answer refers to are
 * never asked. Confined to one thread.
 */
final class NameServers {
    static final int ANSWER_MILLIS = 1_000;
    static final int TRIES = 2;
    /** A larger datagram would be sent in fragments, which get lost. */
    private static final int DATAGRAM = 1232;
    /** The codes of answers that tell whether a name has addresses. */
    private static final Set<DnsResponseCode> SAYING = Set.of(DnsResponseCode.NOERROR, DnsResponseCode.NXDOMAIN);
    private final Supplier<List<InetSocketAddress>> addresses;
    private final DnsNameResolver resolver;
    private final Time time;
    private int preferred;
    private long answeredAt;
    /** When one answered after a silence that was longer than a server may take. */
    private long resumedAt;
    private boolean closed;

    private record Inquiry(DnsQuestion question, Consumer<DnsResponse> said,
            Consumer<Optional<DnsResponseCode>> failed) {}

    /**
     * @param addresses in the order in which they are asked; not empty when there is a question
     * @param loop has the thread
     */
    NameServers(Supplier<List<InetSocketAddress>> addresses, EventLoop loop, Time time) {
        this.addresses = addresses;
        this.time = time;
        this.answeredAt = time.nanos();
        this.resumedAt = answeredAt;
        this.resolver = new DnsNameResolverBuilder(loop).datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .queryTimeoutMillis(ANSWER_MILLIS).maxPayloadSize(DATAGRAM).build();
    }

    /**
     * Asks one after the other.
     *
     * @param said takes the first answer that tells something about the name
     * @param failed takes the code of the last answer if none did; empty if there was none
     */
    void ask(DnsQuestion question, Consumer<DnsResponse> said, Consumer<Optional<DnsResponseCode>> failed) {
        ask(new Inquiry(question, said, failed), 0, Optional.empty());
    }

    /** Asks the next server; after each had its turn, and after {@value #TRIES} tries, it has failed. */
    private void ask(Inquiry inquiry, int tries, Optional<DnsResponseCode> code) {
        List<InetSocketAddress> all = addresses.get();
        if (closed || all.isEmpty() || tries >= Math.max(TRIES, all.size())) {
            inquiry.failed.accept(code);
            return;
        }
        InetSocketAddress server = all.get((preferred + tries) % all.size());
        resolver.query(server, inquiry.question)
                .addListener((Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> reply) -> {
                    if (!reply.isSuccess()) {
                        ask(inquiry, tries + 1, code);
                        return;
                    }
                    try {
                        DnsResponse response = reply.getNow().content();
                        answered();
                        if (SAYING.contains(response.code()) && !isCut(response)) {
                            preferred = all.indexOf(server);
                            inquiry.said.accept(response);
                        } else {
                            ask(inquiry, tries + 1, Optional.of(response.code()));
                        }
                    } finally {
                        reply.getNow().release();
                    }
                });
    }

    private void answered() {
        long now = time.nanos();
        if (now - answeredAt > TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS)) {
            resumedAt = now;
        }
        answeredAt = now;
    }

    /** Whether not even TCP has brought what a datagram was too short for. */
    private static boolean isCut(DnsResponse response) {
        return response.isTruncated() && response.count(DnsSection.ANSWER) == 0;
    }

    /** Whether one has answered since a time by {@link Time#nanos}. */
    boolean answeredSince(long began) {
        return answeredAt - began > 0;
    }

    /** Whether one has answered since then after a silence of all. */
    boolean resumedSince(long began) {
        return resumedAt - began > 0;
    }

    /** Their addresses, for people. */
    String text() {
        return addresses.get().stream().map(NameServerAddress::text).collect(Collectors.joining(", "));
    }

    boolean closed() {
        return closed;
    }

    /** What is asked from now on fails. */
    void close() {
        closed = true;
        resolver.close();
    }
}
