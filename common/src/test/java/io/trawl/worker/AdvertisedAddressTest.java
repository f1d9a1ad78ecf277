package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdvertisedAddressTest {
    private static InetAddress address(int... bytes) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[]{(byte) bytes[0], (byte) bytes[1], (byte) bytes[2], (byte) bytes[3]});
    }

    private static Optional<InetAddress> ofAnInterface() throws SocketException {
        return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress()).findFirst();
    }

    @Test
    void aHostNameThatLeadsToLoopbackGivesTheLocalAddressOfTheRouteToKafka() throws Exception {
        Optional<InetAddress> own = ofAnInterface();
        assumeTrue(own.isPresent(), "this machine has only loopback");
        assertThat(AdvertisedAddress.reachable(address(127, 0, 1, 1),
                own.map(kafka -> new InetSocketAddress(kafka, 9092)))).isEqualTo(own.orElseThrow());
    }

    @Test
    void aKafkaOnLoopbackGivesLoopback() throws Exception {
        assertThat(AdvertisedAddress.reachable(address(127, 0, 1, 1),
                Optional.of(new InetSocketAddress("127.0.0.1", 9092)))).isEqualTo(address(127, 0, 0, 1));
    }

    @Test
    void anAddressOfTheHostNameIsKept() throws Exception {
        assertThat(AdvertisedAddress.reachable(address(192, 0, 2, 7),
                Optional.of(new InetSocketAddress("127.0.0.1", 9092)))).isEqualTo(address(192, 0, 2, 7));
    }

    @Test
    void withoutARouteToKafkaTheAddressOfTheHostNameRemains() throws Exception {
        assertThat(AdvertisedAddress.reachable(address(127, 0, 1, 1), Optional.empty()))
                .isEqualTo(address(127, 0, 1, 1));
    }
}
