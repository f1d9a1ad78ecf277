package io.trawl.downloader.fetch.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.name.NameService.NameAnswer;
import io.trawl.downloader.fetch.name.SystemFiles.ChangingFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which names the resolver of the system looks up. */
class LocalNamesTest {
    private static final InetSocketAddress SERVER = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.53"), 53);
    private final List<String> bySystem = new ArrayList<>();
    private final List<String> byServers = new ArrayList<>();
    private List<InetSocketAddress> servers = List.of(SERVER);
    private final LocalNames names = new LocalNames(() -> Set.of("wiki.example.org"), answering(bySystem),
            () -> servers, answering(byServers));

    private static NameService answering(List<String> asked) {
        return name -> {
            asked.add(name);
            return CompletableFuture.completedFuture(
                    new NameAnswer(List.of(InetAddress.ofLiteral("192.0.2.1")), Duration.ofMinutes(1)));
        };
    }

    @ParameterizedTest
    @CsvSource({"localhost,true", "site.localhost,true", "web,true", "printer.local,true", "wiki.example.org,true",
            "www.wiki.example.org,false", "example.org,false", "mylocalhost.org,false", "web.internal,false"})
    void namesThatNameServersDoNotKnowAreThoseOfTheSystem(String name, boolean local) {
        names.find(name);
        assertThat(local ? bySystem : byServers).containsExactly(name);
        assertThat(local ? byServers : bySystem).isEmpty();
    }

    @Test
    void nobodyIsAskedForInvalidNames() {
        assertThat(names.find("nowhere.invalid")).isCompletedExceptionally();
        assertThat(bySystem).isEmpty();
        assertThat(byServers).isEmpty();
    }

    @Test
    void withoutNameServersTheSystemLooksUpAll() {
        servers = List.of();
        names.find("example.org");
        assertThat(bySystem).containsExactly("example.org");
    }

    @Test
    void theFilesOfTheSystemSayItsNamesAndServers() {
        assertThat(SystemFiles
                .names(List.of("# hosts", "", "127.0.0.1\tlocalhost", "  192.0.2.7  Wiki.example.org wiki # ours")))
                .containsExactlyInAnyOrder("localhost", "wiki.example.org", "wiki");
        assertThat(SystemFiles.servers(List.of("# made by hand", "search example.org", "nameserver 192.0.2.53",
                "nameserver fe80::1%1", "nameserver 2001:db8::53", "nameserver unreadable", "options ndots:5")))
                .contains(SERVER).hasSize(3);
    }

    @Test
    void aFileThatChangesIsReadAgain(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("hosts");
        ChangingFile<Set<String>> hosts = new ChangingFile<>(file, SystemFiles::names);
        assertThat(hosts.get()).isEmpty();
        Files.writeString(file, "192.0.2.7 wiki");
        assertThat(hosts.get()).containsExactly("wiki");
        Files.writeString(file, "192.0.2.7 wiki docs");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
        assertThat(hosts.get()).containsExactlyInAnyOrder("wiki", "docs");
        Files.delete(file);
        assertThat(hosts.get()).isEmpty();
    }
}
