package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
    @TempDir
    private Path temp;

    @Test
    void staysTheSameFromRunToRun() {
        int first = new Ports(temp.resolve("ports")).take("kafka", 0);
        assertThat(new Ports(temp.resolve("ports")).take("kafka", 0)).isEqualTo(first);
        assertThat(new Ports(temp.resolve("ports")).known("kafka")).isEqualTo(first);
        assertThat(new Ports(temp.resolve("ports")).known("redis")).isZero();
    }

    @Test
    void isAnotherOneIfItIsTaken() throws IOException {
        int first = new Ports(temp.resolve("ports")).take("kafka", 0);
        try (ServerSocket other = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            assertThat(new Ports(temp.resolve("ports")).take("kafka", 0)).isNotEqualTo(other.getLocalPort());
        }
    }

    @Test
    void isNeverAnotherOneThanWanted() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = other.getLocalPort();
            assertThatThrownBy(() -> new Ports(temp.resolve("ports")).take("kafka", taken)).isInstanceOf(PortTaken.class)
                    .hasMessageContaining("port " + taken);
        }
    }

    @Test
    void isBelowThoseOfClients() {
        assertThat(new Ports(temp.resolve("ports")).take("kafka", 0)).isBetween(20_000, 32_000);
    }
}
