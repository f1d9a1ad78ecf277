package io.trawl.testkit.hostile;

import static java.util.Objects.requireNonNull;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCase.HostileServer;
import io.trawl.testkit.hostile.HostileCase.ServerTls;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * The servers of all cases, each on a port of its own, and a first page that links to all of them. One address, which a
 * crawl may not connect to, counts who does. Thread-safe; close it at the end.
 */
public final class HostileWeb implements AutoCloseable {
    /** The network that a crawl has to be allowed: all cases, but not the closed address. */
    public static final String NETWORK = "127.0.0.0/15";
    /** The address outside {@link #NETWORK}. */
    static final String CLOSED = "127.66.0.1";
    private static final String FIRST = "127.0.1.100";
    private static final int WAITING = 200;
    private final List<HostileCase> cases;
    private final Map<String, String> addresses = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final TestCertificates certificates;

    private HostileWeb(List<HostileCase> cases, TestCertificates certificates) {
        this.cases = cases;
        this.certificates = certificates;
    }

    /**
     * Starts the servers.
     *
     * @param folder for certificates
     * @param names of the cases
     */
    public static HostileWeb start(Path folder, Predicate<HostileCase> wanted)
            throws IOException, InterruptedException {
        try {
            HostileWeb web = new HostileWeb(HostileCorpus.cases().stream().filter(wanted).toList(),
                    TestCertificates.make(folder));
            web.listen("closed", CLOSED, Optional.empty(), wire -> wire.answer("200 OK", new byte[0]));
            web.listen("first", FIRST, Optional.empty(), web::first);
            for (HostileCase each : web.cases) {
                web.listen(each.name(), each.group().address(), each.tls(), each.server());
            }
            return web;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void listen(String name, String address, Optional<ServerTls> tls, HostileServer server) throws IOException {
        requests.put(name, new AtomicInteger());
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(address), 0);
        if (server == HostileCorpus.CLOSED_PORT) {
            Socket reserved = new Socket();
            open.add(reserved);
            reserved.bind(any);
            addresses.put(name, address + ":" + reserved.getLocalPort());
            return;
        }
        ServerSocket listening = new ServerSocket();
        open.add(listening);
        listening.bind(any, WAITING);
        addresses.put(name, address + ":" + listening.getLocalPort());
        threads.execute(() -> accept(name, listening, tls, server));
    }

    private void accept(String name, ServerSocket listening, Optional<ServerTls> tls, HostileServer server) {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                threads.execute(() -> serve(name, socket, tls, server));
            }
        } catch (IOException e) {
            // the web is closed
        }
    }

    private void serve(String name, Socket socket, Optional<ServerTls> tls, HostileServer server) {
        AtomicInteger count = requireNonNull(requests.get(name));
        try (socket) {
            socket.setTcpNoDelay(true);
            if (name.equals("closed")) {
                count.incrementAndGet();
            }
            server.serve(new Wire(tls.isPresent() ? secured(socket, tls.get()) : socket, this, count::incrementAndGet));
        } catch (IOException e) {
            // the client has gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private Socket secured(Socket socket, ServerTls tls) throws IOException {
        SSLSocket secured = (SSLSocket) certificates.context(tls.certificate()).getSocketFactory().createSocket(socket,
                "", socket.getPort(), true);
        secured.setUseClientMode(false);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(tls.http2() ? new String[]{"h2", "http/1.1"} : new String[]{"http/1.1"});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** Links to all cases. */
    private void first(Wire wire) throws IOException {
        for (String path = wire.request(); !path.isEmpty(); path = wire.request()) {
            if (path.equals("/robots.txt")) {
                wire.answer("404 Not Found", new byte[0]);
                continue;
            }
            wire.page(entries("").stream().map(url -> "<a href=\"" + url + "\">x</a>\n").collect(Collectors.joining()));
        }
    }

    /** The cases, in the order of the table. */
    public List<HostileCase> cases() {
        return cases;
    }

    /** The URL of the page that links to all cases. */
    public String firstPage() {
        return "http://" + address("first") + "/";
    }

    /** The URL of each case, followed by a query, so that it can be fetched more than once; empty for none. */
    public List<String> entries(String query) {
        return cases.stream().map(each -> at(each) + each.url().entry() + query).toList();
    }

    /** The addresses of all servers, as domains of a crawl: a crawl has to accept the closed address, too. */
    public List<String> domains() {
        List<String> all = new ArrayList<>(List.of(FIRST, CLOSED));
        Arrays.stream(CaseGroup.values()).map(CaseGroup::address).forEach(all::add);
        return List.copyOf(all);
    }

    /** {@code address:port} of a case, or of {@code closed}. */
    String address(String name) {
        return requireNonNull(addresses.get(name), name);
    }

    private String at(HostileCase each) {
        return each.url().scheme() + "://" + address(each.name());
    }

    /** The URL of which the outcome of a case is told. */
    public String watched(HostileCase each) {
        String watched = each.url().watched();
        return watched.startsWith("/") ? at(each) + watched : elsewhere(watched);
    }

    /** A URL with the name of another case in braces. */
    private String elsewhere(String url) {
        String name = url.substring(url.indexOf('{') + 1, url.indexOf('}'));
        return url.replace("{" + name + "}", addresses.getOrDefault(name, name));
    }

    /** The requests to a case so far, robots.txt included. */
    public int requests(HostileCase each) {
        return requireNonNull(requests.get(each.name())).get();
    }

    /** The requests to all cases so far. */
    public int requests() {
        return cases.stream().mapToInt(this::requests).sum();
    }

    /** The connections to the closed address so far. */
    public int connectionsToClosedAddress() {
        return requireNonNull(requests.get("closed")).get();
    }

    /** The options with which the JVM of a crawl trusts the authority of the valid certificates. */
    public List<String> jvmOptions() {
        return certificates.jvmOptions();
    }

    /** Stops listening and breaks all connections. */
    @Override
    public void close() {
        threads.shutdownNow();
        for (Closeable each : open) {
            try {
                each.close();
            } catch (IOException e) {
                // it is closed in any case
            }
        }
    }
}
