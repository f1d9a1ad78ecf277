package io.trawl.downloader.fetch.name;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.util.concurrent.DefaultThreadFactory;
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
 * Looks names up by {@link NameServers}. {@value #MOST_IN_FLIGHT} look-ups are in flight at most, others wait. A server
 * is asked for the addresses of the other family only if the name has none of the first one.
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
    private static final String ROOT = ".";
    private static final String CLOSING = "the downloader is closing";
    private static final Logger LOG = LoggerFactory.getLogger(DnsNames.class);
    private final NameServers servers;
    private final Outage outage;
    private final Time time;
    private final List<DnsRecordType> types = types();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1,
            new DefaultThreadFactory("dns", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Queue<Lookup> waiting = new ArrayDeque<>();
    /** Look-ups for which no server has answered, while it is not clear that any server answers. */
    private final List<Lookup> held = new ArrayList<>();
    private final Set<CompletableFuture<NameAnswer>> inFlight = new HashSet<>();

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
     * @param servers in the order in which they are asked; not empty when a name is looked up
     * @param outage begins when none of them answers, and ends when one does
     */
    DnsNames(Supplier<List<InetSocketAddress>> servers, Outage outage, Time time) {
        this.outage = outage;
        this.time = time;
        this.servers = new NameServers(servers, loop, time);
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
        if (servers.closed()) {
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
        servers.ask(question, response -> said(lookup, response, type, left), code -> failed(lookup, code));
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
        } else if (servers.answeredSince(lookup.began)) {
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
        if (!lookup.repeated && servers.resumedSince(lookup.began)) {
            again(lookup);
            return;
        }
        lookup.fail("no name server has answered for it, in " + NameServers.TRIES + " tries of "
                + NameServers.ANSWER_MILLIS / 1000 + "s", FAILURE);
    }

    /** Asks for what every recursive server knows. Any answer will do. */
    private void probe(Consumer<Lookup> then) {
        servers.ask(new DefaultDnsQuestion(ROOT, DnsRecordType.NS), _ -> answer(then), code -> {
            if (code.isPresent()) {
                answer(then);
            } else if (!servers.closed()) {
                outage.begin("no name server answers: " + servers.text());
                loop.schedule(() -> probe(this::again), NameServers.ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
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

    @Override
    public void close() {
        try {
            loop.execute(() -> {
                servers.close();
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
