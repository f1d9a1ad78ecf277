package io.trawl.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The health check of the images, which need no shell for it: asks the process in this container for
 * {@code /health/live} or {@code /health/ready} and exits with 0 if the answer is 200, else with 1. It loads few
 * classes, since a container engine starts it every few seconds.
 */
public final class HealthCheck {
    private static final int MILLIS = 4000;
    private static final String PORT = "8080";

    private HealthCheck() {}

    /** @param args {@code live} or {@code ready} */
    public static void main(String[] args) {
        int port = Integer.parseInt(Objects.requireNonNullElse(System.getenv("TRAWL_HTTP_PORT"), PORT));
        System.exit(healthy(port, args[0]) ? 0 : 1);
    }

    static boolean healthy(int port, String question) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MILLIS);
            socket.setSoTimeout(MILLIS);
            socket.getOutputStream()
                    .write(("GET /health/" + question + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String status = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
            return status != null && status.startsWith("HTTP/1.1 200");
        } catch (IOException e) {
            return false;
        }
    }
}
