package io.trawl.bench.web;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One connection: reads a request, delays the response, writes it, and reads the next request. Confined to the server's thread. */
final class Conversation {
    private static final int LONGEST_REQUEST = 16 << 10;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final int host;
    private final ByteBuffer received = ByteBuffer.allocate(LONGEST_REQUEST);
    private ByteBuffer answer = ByteBuffer.allocate(0);
    private long due;

    /** Receives every complete request. */
    interface Listener {
        void received(Conversation from, String path) throws IOException;
    }

    Conversation(SocketChannel socket, SelectionKey key, int host) {
        this.socket = socket;
        this.key = key;
        this.host = host;
    }

    int host() {
        return host;
    }

    /** The time at which the response is due. */
    long due() {
        return due;
    }

    void read(Listener listener) throws IOException {
        if (socket.read(received) < 0) {
            throw new EOFException();
        }
        next(listener);
    }

    /** Passes on the next request if it is complete; reads no further request before the response. */
    private void next(Listener listener) throws IOException {
        int end = endOfHead();
        if (end < 0) {
            if (!received.hasRemaining()) {
                throw new IOException("a request of more than " + LONGEST_REQUEST + " bytes");
            }
            key.interestOps(SelectionKey.OP_READ);
            return;
        }
        String line = new String(received.array(), 0, lineEnd(), StandardCharsets.US_ASCII);
        received.flip().position(end);
        received.compact();
        String[] words = line.split(" ");
        if (words.length != 3 || !words[0].equals("GET")) {
            throw new IOException("not a GET: " + line);
        }
        key.interestOps(0);
        listener.received(this, words[1]);
    }

    private int lineEnd() {
        int at = 0;
        while (received.get(at) != '\r') {
            at++;
        }
        return at;
    }

    private int endOfHead() {
        for (int i = 3; i < received.position(); i++) {
            if (received.get(i) == '\n' && received.get(i - 1) == '\r' && received.get(i - 2) == '\n'
                    && received.get(i - 3) == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    void answer(byte[] bytes, long when) {
        answer = ByteBuffer.wrap(bytes);
        due = when;
    }

    void write(Listener listener) throws IOException {
        socket.write(answer);
        if (answer.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
        } else {
            next(listener);
        }
    }

    void close() {
        key.cancel();
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is closed in any case.
        }
    }
}
