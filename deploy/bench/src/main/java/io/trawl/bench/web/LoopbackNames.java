package io.trawl.bench.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/**
 * A name server for the hosts of a {@link LoopbackWeb}, over UDP. It does not answer for some of them. One thread
 * serves it.
 */
public final class LoopbackNames implements AutoCloseable {
    /** Each name is a domain of its own, as each address is. */
    private static final String ENDING = "-site.test";
    private static final int HEADER = 12;
    private static final int A = 1;
    private static final int TTL_SECONDS = 3600;
    private static final int LARGEST = 4096;
    private final IntPredicate answers;
    private final DatagramSocket socket;

    /** @param answers whether it answers for a host */
    public LoopbackNames(IntPredicate answers) {
        this.answers = answers;
        try {
            this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("names").start(this::serve);
    }

    /** The name of a host, counted from 0. */
    public static String name(int host) {
        return "h" + host + ENDING;
    }

    /** The value of {@code TRAWL_DOWNLOADER_NAME_SERVERS}. */
    public String setting() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[LARGEST], LARGEST);
        try {
            while (!socket.isClosed()) {
                packet.setLength(LARGEST);
                socket.receive(packet);
                ByteBuffer reply = reply(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()));
                if (reply.hasRemaining()) {
                    socket.send(new DatagramPacket(reply.array(), reply.limit(), packet.getSocketAddress()));
                }
            }
        } catch (SocketException e) {
            // It was closed.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** RFC 1035, section 4.1. Nothing is known of other names than those of hosts, not even that they exist. */
    private ByteBuffer reply(ByteBuffer question) {
        int first = question.get(HEADER);
        String label = new String(question.array(), HEADER + 1, first, StandardCharsets.US_ASCII);
        int host = label.matches("h[0-9]{1,8}-site") ? Integer.parseInt(label.substring(1, label.indexOf('-'))) : -1;
        int end = HEADER;
        while (question.get(end) > 0) {
            end += 1 + question.get(end);
        }
        boolean address = host >= 0 && question.getShort(end + 1) == A;
        ByteBuffer reply = ByteBuffer.allocate(end + 5 + 16);
        if (host >= 0 && !answers.test(host)) {
            return reply.limit(0);
        }
        reply.put(question.array(), 0, 2).putShort((short) 0x8180).putShort((short) 1)
                .putShort((short) (address ? 1 : 0)).putInt(0).put(question.array(), HEADER, end + 5 - HEADER);
        if (address) {
            reply.putShort((short) 0xc00c).putShort((short) A).putShort((short) 1).putInt(TTL_SECONDS)
                    .putShort((short) 4).put(InetAddress.ofLiteral(Loopback.address(host)).getAddress());
        }
        return reply.flip();
    }

    @Override
    public void close() {
        socket.close();
    }
}
