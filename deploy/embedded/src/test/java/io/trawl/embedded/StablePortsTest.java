package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.embedded.EmbeddedServerException.PortTakenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StablePortsTest {
    @TempDir
    private Path temp;

    @Test
    void staysTheSameFromRunToRun() {
        int first = new StablePorts(temp.resolve("ports")).take("kafka", 0);
        assertThat(new StablePorts(temp.resolve("ports")).take("kafka", 0)).isEqualTo(first);
        assertThat(new StablePorts(temp.resolve("ports")).known("kafka")).isEqualTo(first);
        assertThat(new StablePorts(temp.resolve("ports")).known("redis")).isZero();
    }

    @Test
    void changesIfThePortIsInUse() throws IOException {
        int first = new StablePorts(temp.resolve("ports")).take("kafka", 0);
        try (ServerSocket other = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            assertThat(new StablePorts(temp.resolve("ports")).take("kafka", 0)).isNotEqualTo(other.getLocalPort());
        }
    }

    @Test
    void neverReplacesARequestedPort() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = other.getLocalPort();
            assertThatThrownBy(() -> new StablePorts(temp.resolve("ports")).take("kafka", taken))
                    .isInstanceOf(PortTakenException.class).hasMessageContaining("port " + taken);
        }
    }

    @Test
    void isBelowTheEphemeralPortRange() {
        assertThat(new StablePorts(temp.resolve("ports")).take("kafka", 0)).isBetween(20_000, 32_000);
    }
}
