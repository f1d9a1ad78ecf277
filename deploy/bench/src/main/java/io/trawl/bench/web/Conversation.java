package io.trawl.bench.web;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One connection: hears a request, is silent for a while, answers, and hears the next. Belongs to the server's thread. */
final class Conversation {
    private static final int LONGEST_REQUEST = 16 << 10;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final int host;
    private final ByteBuffer heard = ByteBuffer.allocate(LONGEST_REQUEST);
    private ByteBuffer answer = ByteBuffer.allocate(0);
    private long due;

    /** Told about every whole request. */
    interface Listener {
        void heard(Conversation from, String path) throws IOException;
    }

    Conversation(SocketChannel socket, SelectionKey key, int host) {
        this.socket = socket;
        this.key = key;
        this.host = host;
    }

    int host() {
        return host;
    }

    /** When the answer may be given. */
    long due() {
        return due;
    }

    void read(Listener listener) throws IOException {
        if (socket.read(heard) < 0) {
            throw new EOFException();
        }
        next(listener);
    }

    /** Passes the next request on if it is whole; until it is answered nothing more is heard. */
    private void next(Listener listener) throws IOException {
        int end = endOfHead();
        if (end < 0) {
            if (!heard.hasRemaining()) {
                throw new IOException("a request of more than " + LONGEST_REQUEST + " bytes");
            }
            key.interestOps(SelectionKey.OP_READ);
            return;
        }
        String line = new String(heard.array(), 0, lineEnd(), StandardCharsets.US_ASCII);
        heard.flip().position(end);
        heard.compact();
        String[] words = line.split(" ");
        if (words.length != 3 || !words[0].equals("GET")) {
            throw new IOException("not a GET: " + line);
        }
        key.interestOps(0);
        listener.heard(this, words[1]);
    }

    private int lineEnd() {
        int at = 0;
        while (heard.get(at) != '\r') {
            at++;
        }
        return at;
    }

    private int endOfHead() {
        for (int i = 3; i < heard.position(); i++) {
            if (heard.get(i) == '\n' && heard.get(i - 1) == '\r' && heard.get(i - 2) == '\n' && heard.get(i - 3) == '\r') {
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
            // It is gone either way.
        }
    }
}
