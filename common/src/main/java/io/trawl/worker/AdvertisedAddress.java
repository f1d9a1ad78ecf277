package io.trawl.worker;

import io.trawl.settings.Settings;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The address under which a process is registered, so that others can reach it. A process that listens on all
 * interfaces takes the address of its host name. Where that is a loopback address, as on Debian, it takes the local
 * address of the route to Kafka.
 */
final class AdvertisedAddress {
    private static final Logger LOG = LoggerFactory.getLogger(AdvertisedAddress.class);
    private static final List<String> ALL_INTERFACES = List.of("0.0.0.0", "::", "[::]");

    private AdvertisedAddress() {}

    /**
     * The address as it stands in a URL. Logs a warning if no other machine can reach it and Kafka is on another
     * machine.
     */
    static String of(Settings settings) {
        Optional<String> advertised = settings.http().advertised();
        if (advertised.isPresent()) {
            return advertised.get();
        }
        Optional<InetSocketAddress> kafka = firstServer(settings.kafka().bootstrapServers());
        String bind = settings.http().bind();
        InetAddress address = ALL_INTERFACES.contains(bind)
                ? reachable(hostAddress(), kafka)
                : resolved(bind).orElse(hostAddress());
        if (address.isLoopbackAddress() && kafka.filter(server -> !isHere(server)).isPresent()) {
            LOG.warn(
                    "other machines cannot reach {}, the address of this process: set TRAWL_HTTP_BIND=0.0.0.0 or TRAWL_HTTP_ADVERTISED",
                    inUrl(address.getHostAddress()));
        }
        return ALL_INTERFACES.contains(bind) ? inUrl(address.getHostAddress()) : inUrl(bind);
    }

    /** The address of this host, or the local address of the route to Kafka if the former is a loopback address. */
    static InetAddress reachable(InetAddress host, Optional<InetSocketAddress> kafka) {
        return host.isLoopbackAddress() ? kafka.flatMap(AdvertisedAddress::localAddressTowards).orElse(host) : host;
    }

    /** Connecting a datagram socket chooses a route and sends nothing. */
    private static Optional<InetAddress> localAddressTowards(InetSocketAddress server) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            return Optional.of(socket.getLocalAddress()).filter(address -> !address.isAnyLocalAddress());
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    private static boolean isHere(InetSocketAddress server) {
        return localAddressTowards(server).filter(InetAddress::isLoopbackAddress).isPresent();
    }

    private static Optional<InetSocketAddress> firstServer(String bootstrapServers) {
        return Arrays.stream(bootstrapServers.split(",")).map(String::strip)
                .map(server -> new InetSocketAddress(Utils.getHost(server), Utils.getPort(server)))
                .filter(server -> !server.isUnresolved()).findFirst();
    }

    private static InetAddress hostAddress() {
        try {
            return InetAddress.getLocalHost();
        } catch (UnknownHostException e) {
            return InetAddress.getLoopbackAddress();
        }
    }

    private static Optional<InetAddress> resolved(String host) {
        try {
            return Optional.of(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static String inUrl(String address) {
        return address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address;
    }
}
