package io.trawl.testkit.web;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection: reads a request, delays the response, writes it, and reads the next request. Confined to the server's
 * thread.
 */
final class Conversation {
    private static final int LONGEST_REQUEST = 16 << 10;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final int host;
    private final ByteBuffer received = ByteBuffer.allocate(LONGEST_REQUEST);
    private ByteBuffer answer = ByteBuffer.allocate(0);
    private long due;
    private long piece;

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

    void answer(byte[] bytes, long when, long between) {
        answer = ByteBuffer.wrap(bytes);
        due = when;
        piece = between;
    }

    /** The time between two bytes; 0 if all are sent at once. */
    long piece() {
        return piece;
    }

    /** Writes a byte, the next of which is due later; false if it was the last one. */
    boolean trickle() throws IOException {
        int end = answer.limit();
        answer.limit(answer.position() + 1);
        socket.write(answer);
        answer.limit(end);
        due += piece;
        return answer.hasRemaining();
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
