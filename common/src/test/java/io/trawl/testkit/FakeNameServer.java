package io.trawl.testkit;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A name server on loopback, over UDP and TCP, that answers each question as a test says; a question for the root,
 * which tells whether it is there, is answered while it is not {@link #silent}. Thread-safe.
 */
public final class FakeNameServer implements AutoCloseable {
    private static final int A = 1;
    private static final int CNAME = 5;
    private static final int AAAA = 28;
    private static final int CUT = 0x0200;
    private static final int HEADER = 12;
    private final Function<String, NameReply> names;
    private final DatagramSocket datagrams;
    private final ServerSocket connections;
    private final Queue<NameQuestion> questions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger probes = new AtomicInteger();
    private volatile boolean silent;

    /** What the server was asked. */
    public record NameQuestion(String name, int type, boolean tcp) {}

    /** What the server does with questions about a name. */
    public sealed interface NameReply {
        /** Says these addresses, those of the type that is asked for. */
        record Addresses(int ttl, List<String> literals) implements NameReply {}

        /** Says an alias, and the addresses at its end. */
        record Alias(int ttl, Addresses addresses) implements NameReply {}

        /** Says these addresses over TCP, and that they do not fit into a datagram. */
        record TooLong(Addresses addresses) implements NameReply {}

        /** Says nothing but this code. */
        record Code(int code) implements NameReply {}

        /** Does not answer. */
        record Ignored() implements NameReply {}
    }

    public FakeNameServer(Function<String, NameReply> names) {
        this.names = names;
        try {
            // The port of one socket that the system chooses may be in use by a connection of the other kind.
            int port = FreePort.find();
            datagrams = new DatagramSocket(port, InetAddress.getLoopbackAddress());
            connections = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("name-server-udp").start(this::serveDatagrams);
        Thread.ofPlatform().daemon().name("name-server-tcp").start(this::serveConnections);
    }

    /** The reply with one address. */
    public static NameReply.Addresses address(int ttl, String... literals) {
        return new NameReply.Addresses(ttl, List.of(literals));
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(datagrams.getLocalAddress(), datagrams.getLocalPort());
    }

    /** The same, as a setting. */
    public String setting() {
        return "127.0.0.1:" + datagrams.getLocalPort();
    }

    /** Whether it answers nothing at all from now on. */
    public void silent(boolean on) {
        silent = on;
    }

    /** What it was asked, without questions for the root. */
    public List<NameQuestion> questions() {
        return List.copyOf(questions);
    }

    /** How often it was asked for the root. */
    public int probes() {
        return probes.get();
    }

    /** The names that it was asked for. */
    public Stream<String> asked() {
        return questions.stream().map(NameQuestion::name);
    }

    private void serveDatagrams() {
        byte[] buffer = new byte[4096];
        try {
            while (!datagrams.isClosed()) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                datagrams.receive(packet);
                byte[] reply = reply(ByteBuffer.wrap(buffer, 0, packet.getLength()), false);
                if (reply.length > 0) {
                    datagrams.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
                }
            }
        } catch (SocketException e) {
            // It was closed.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serveConnections() {
        while (!connections.isClosed()) {
            try (Socket socket = connections.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] question = new byte[in.readUnsignedShort()];
                in.readFully(question);
                byte[] reply = reply(ByteBuffer.wrap(question), true);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeShort(reply.length);
                out.write(reply);
                out.flush();
            } catch (SocketException | EOFException e) {
                // It was closed.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** RFC 1035, section 4.1; empty for no reply. */
    private byte[] reply(ByteBuffer question, boolean tcp) throws IOException {
        int id = question.getShort(0) & 0xffff;
        question.position(HEADER);
        List<String> labels = new ArrayList<>();
        for (int length = question.get(); length > 0; length = question.get()) {
            byte[] label = new byte[length];
            question.get(label);
            labels.add(new String(label, StandardCharsets.US_ASCII));
        }
        int type = question.getShort();
        byte[] asked = new byte[question.position() + 2 - HEADER];
        question.get(HEADER, asked);
        String name = String.join(".", labels);
        if (name.isEmpty()) {
            probes.incrementAndGet();
        } else {
            questions.add(new NameQuestion(name, type, tcp));
        }
        if (silent) {
            return new byte[0];
        }
        return switch (name.isEmpty() ? new NameReply.Code(0) : names.apply(name)) {
            case NameReply.Ignored _ -> new byte[0];
            case NameReply.Code(int code) -> message(id, code, asked, List.of());
            case NameReply.Addresses addresses -> message(id, 0, asked, records(addresses, type));
            case NameReply.Alias(int ttl, NameReply.Addresses addresses) -> message(id, 0, asked, Stream
                    .concat(Stream.of(record(CNAME, ttl, new byte[]{1, 'x', 0})), records(addresses, type).stream())
                    .toList());
            case NameReply.TooLong(NameReply.Addresses addresses) ->
                tcp ? message(id, 0, asked, records(addresses, type)) : message(id, CUT, asked, List.of());
        };
    }

    private static List<byte[]> records(NameReply.Addresses addresses, int type) {
        return addresses.literals().stream().map(InetAddress::ofLiteral).map(InetAddress::getAddress)
                .filter(bytes -> type == (bytes.length == 4 ? A : AAAA))
                .map(bytes -> record(type, addresses.ttl(), bytes)).toList();
    }

    private static byte[] record(int type, int ttl, byte[] data) {
        return ByteBuffer.allocate(12 + data.length).putShort((short) 0xc00c).putShort((short) type).putShort((short) 1)
                .putInt(ttl).putShort((short) data.length).put(data).array();
    }

    private static byte[] message(int id, int flags, byte[] asked, List<byte[]> records) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(id);
        out.writeShort(0x8180 | flags);
        out.writeShort(1);
        out.writeShort(records.size());
        out.writeInt(0);
        out.write(asked);
        for (byte[] record : records) {
            out.write(record);
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        datagrams.close();
        try {
            connections.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
