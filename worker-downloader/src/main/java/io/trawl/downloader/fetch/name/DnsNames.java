package io.trawl.downloader.fetch.name;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.trawl.settings.NameServerAddress;
import io.trawl.telemetry.Outage;
import io.trawl.time.Time;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks recursive name servers (RFC 1035) over UDP, and over TCP if an answer is cut. A server has a second to answer;
 * the next one is asked then, or the same one again, so that each look-up has two tries at least.
 * {@value #MOST_IN_FLIGHT} look-ups are in flight at most, others wait. Each query has a port of its own (RFC 5452), so
 * that only those who can read it can answer it. A server is asked for the addresses of the other family only if the
 * name has none of the first one, and servers that an answer refers to are never asked.
 * <p>
 * A name is without an address if a server says so, or if none answers for it while they answer something. While they
 * answer nothing at all, that is no fault of any name: look-ups wait until one answers, and those that were under way
 * when one answered again are made once more. What a lookup does, it does on one thread. Thread-safe.
 */
final class DnsNames implements NameService {
    static final int MOST_IN_FLIGHT = 1_000;
    static final Duration SHORTEST = Duration.ofMinutes(1);
    static final Duration LONGEST = Duration.ofHours(1);
    /** How long it counts that a name has no address (RFC 2308). */
    static final Duration NEGATIVE = Duration.ofMinutes(1);
    /**
     * How long it counts that no server could tell: the least that RFC 9520 asks for, so that each retry of a request
     * asks again.
     */
    static final Duration FAILURE = Duration.ofSeconds(1);
    private static final int ANSWER_MILLIS = 1_000;
    private static final int TRIES = 2;
    /** A larger datagram would be sent in fragments, which get lost. */
    private static final int DATAGRAM = 1232;
    private static final String ROOT = ".";
    /** The codes of answers that tell whether a name has addresses. */
    private static final Set<DnsResponseCode> SAYING = Set.of(DnsResponseCode.NOERROR, DnsResponseCode.NXDOMAIN);
    private static final String CLOSING = "the downloader is closing";
    private static final Logger LOG = LoggerFactory.getLogger(DnsNames.class);
    private final Supplier<List<InetSocketAddress>> servers;
    private final Outage outage;
    private final Time time;
    private final List<DnsRecordType> types = types();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1,
            new DefaultThreadFactory("dns", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final DnsNameResolver resolver;
    private final Queue<Lookup> waiting = new ArrayDeque<>();
    /** Look-ups for which no server has answered, while it is not clear that any server answers. */
    private final List<Lookup> held = new ArrayList<>();
    private final Set<CompletableFuture<NameAnswer>> inFlight = new HashSet<>();
    private int preferred;
    private long answeredAt;
    /** When one answered after a silence that was longer than a server may take. */
    private long resumedAt;
    private boolean closed;

    /**
     * A look-up.
     *
     * @param began when it was sent first, or again after a silence
     * @param repeated whether its tries are those after a silence
     */
    private record Lookup(String name, CompletableFuture<NameAnswer> answer, long began, boolean repeated) {
        void fail(String why, Duration kept) {
            answer.completeExceptionally(new UnknownNameException(why, kept));
        }
    }

    /**
     * A question to one server after the other.
     *
     * @param said takes the first answer that tells something about the name
     * @param failed takes the code of the last answer if none did; empty if there was none
     */
    private record Inquiry(DnsQuestion question, Consumer<DnsResponse> said,
            Consumer<Optional<DnsResponseCode>> failed) {}

    /**
     * @param servers in the order in which they are asked; not empty when a name is looked up
     * @param outage begins when none of them answers, and ends when one does
     */
    DnsNames(Supplier<List<InetSocketAddress>> servers, Outage outage, Time time) {
        this.servers = servers;
        this.outage = outage;
        this.time = time;
        this.answeredAt = time.nanos();
        this.resumedAt = answeredAt;
        this.resolver = new DnsNameResolverBuilder(loop).datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .queryTimeoutMillis(ANSWER_MILLIS).maxPayloadSize(DATAGRAM).build();
    }

    /** IPv4 first, unless the machine has only IPv6 to reach others. */
    private static List<DnsRecordType> types() {
        try {
            Set<Boolean> versions = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .map(Inet4Address.class::isInstance).collect(Collectors.toSet());
            return versions.equals(Set.of(false))
                    ? List.of(DnsRecordType.AAAA, DnsRecordType.A)
                    : List.of(DnsRecordType.A, DnsRecordType.AAAA);
        } catch (SocketException e) {
            return List.of(DnsRecordType.A, DnsRecordType.AAAA);
        }
    }

    @Override
    public CompletableFuture<NameAnswer> find(String name) {
        CompletableFuture<NameAnswer> answer = new CompletableFuture<>();
        run(new Lookup(name, answer, time.nanos(), false), this::admit);
        return answer;
    }

    private void run(Lookup lookup, Consumer<Lookup> step) {
        try {
            loop.execute(() -> step.accept(lookup));
        } catch (RejectedExecutionException e) {
            lookup.fail(CLOSING, Duration.ZERO);
        }
    }

    private void admit(Lookup lookup) {
        if (closed) {
            lookup.fail(CLOSING, Duration.ZERO);
        } else if (inFlight.size() == MOST_IN_FLIGHT) {
            waiting.add(lookup);
        } else {
            begin(lookup);
        }
    }

    private void begin(Lookup lookup) {
        inFlight.add(lookup.answer);
        lookup.answer.whenComplete((_, _) -> run(lookup, _ -> {
            inFlight.remove(lookup.answer);
            if (!waiting.isEmpty()) {
                begin(waiting.remove());
            }
        }));
        ask(lookup);
    }

    private void ask(Lookup lookup) {
        ask(lookup, types.iterator());
    }

    private void ask(Lookup lookup, Iterator<DnsRecordType> left) {
        DnsRecordType type = left.next();
        DnsQuestion question;
        try {
            question = new DefaultDnsQuestion(lookup.name, type);
        } catch (IllegalArgumentException e) {
            lookup.fail("no name server can know such a name", LONGEST);
            return;
        }
        inquire(new Inquiry(question, response -> said(lookup, response, type, left), code -> failed(lookup, code)), 0,
                Optional.empty());
    }

    private void said(Lookup lookup, DnsResponse response, DnsRecordType type, Iterator<DnsRecordType> left) {
        List<InetAddress> addresses = addresses(lookup.name, response, type);
        if (!addresses.isEmpty()) {
            lookup.answer.complete(new NameAnswer(addresses, kept(response)));
        } else if (left.hasNext() && response.code().equals(DnsResponseCode.NOERROR)) {
            ask(lookup, left);
        } else {
            lookup.fail(
                    "name server: "
                            + (response.code().equals(DnsResponseCode.NOERROR) ? "no record" : text(response.code())),
                    NEGATIVE);
        }
    }

    /** A server that is asked recursively adds the addresses to the aliases that lead to them. */
    private static List<InetAddress> addresses(String name, DnsResponse response, DnsRecordType type) {
        List<InetAddress> addresses = new ArrayList<>();
        for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
            if (response.<DnsRecord>recordAt(DnsSection.ANSWER, i) instanceof DnsRawRecord raw
                    && raw.type().equals(type)) {
                try {
                    addresses.add(InetAddress.getByAddress(name, ByteBufUtil.getBytes(raw.content())));
                } catch (UnknownHostException e) {
                    LOG.debug("{} has an address of {} bytes", name, raw.content().readableBytes());
                }
            }
        }
        return addresses;
    }

    private static Duration kept(DnsResponse response) {
        long seconds = LONGEST.toSeconds();
        for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
            seconds = Math.min(seconds, response.<DnsRecord>recordAt(DnsSection.ANSWER, i).timeToLive());
        }
        return Duration.ofSeconds(Math.max(SHORTEST.toSeconds(), seconds));
    }

    private void failed(Lookup lookup, Optional<DnsResponseCode> code) {
        if (code.isPresent()) {
            lookup.fail("name server: " + text(code.get()), FAILURE);
        } else if (answeredAt - lookup.began > 0) {
            unanswered(lookup);
        } else {
            held.add(lookup);
            if (held.size() == 1) {
                probe(this::unanswered);
            }
        }
    }

    /** {@code NXDOMAIN(3)}, as tools show it. */
    private static String text(DnsResponseCode code) {
        return code.toString().toUpperCase(Locale.ROOT);
    }

    private void unanswered(Lookup lookup) {
        if (!lookup.repeated && resumedAt - lookup.began > 0) {
            again(lookup);
            return;
        }
        lookup.fail("no name server has answered for it, in " + TRIES + " tries of " + ANSWER_MILLIS / 1000 + "s",
                FAILURE);
    }

    /** Asks for what every recursive server knows. Any answer will do. */
    private void probe(Consumer<Lookup> then) {
        inquire(new Inquiry(new DefaultDnsQuestion(ROOT, DnsRecordType.NS), _ -> answer(then), code -> {
            if (code.isPresent()) {
                answer(then);
            } else if (!closed) {
                outage.begin("no name server answers: "
                        + servers.get().stream().map(NameServerAddress::text).collect(Collectors.joining(", ")));
                loop.schedule(() -> probe(this::again), ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            }
        }), 0, Optional.empty());
    }

    private void answer(Consumer<Lookup> then) {
        List<Lookup> all = List.copyOf(held);
        held.clear();
        outage.end();
        all.forEach(then);
    }

    private void again(Lookup lookup) {
        ask(new Lookup(lookup.name, lookup.answer, time.nanos(), true));
    }

    /** Asks the next server; after each had its turn, and after {@value #TRIES} tries, it has failed. */
    private void inquire(Inquiry inquiry, int tries, Optional<DnsResponseCode> code) {
        List<InetSocketAddress> all = servers.get();
        if (closed || all.isEmpty() || tries >= Math.max(TRIES, all.size())) {
            inquiry.failed.accept(code);
            return;
        }
        InetSocketAddress server = all.get((preferred + tries) % all.size());
        resolver.query(server, inquiry.question)
                .addListener((Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> reply) -> {
                    if (!reply.isSuccess()) {
                        inquire(inquiry, tries + 1, code);
                        return;
                    }
                    try {
                        DnsResponse response = reply.getNow().content();
                        answered();
                        if (SAYING.contains(response.code()) && !isCut(response)) {
                            preferred = all.indexOf(server);
                            inquiry.said.accept(response);
                        } else {
                            inquire(inquiry, tries + 1, Optional.of(response.code()));
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

    @Override
    public void close() {
        try {
            loop.execute(() -> {
                closed = true;
                resolver.close();
                UnknownNameException closing = new UnknownNameException(CLOSING, Duration.ZERO);
                waiting.forEach(lookup -> lookup.answer.completeExceptionally(closing));
                waiting.clear();
                List.copyOf(inFlight).forEach(answer -> answer.completeExceptionally(closing));
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("closed already", e);
        }
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
