package io.trawl.downloader.fetch.name;

import io.trawl.settings.NameServerAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the files of a machine say about names. A file is read again when it has changed, as when a laptop joins another
 * network.
 */
final class SystemFiles {
    private static final Path HOSTS = Path.of("/etc/hosts");
    private static final Path RESOLV_CONF = Path.of("/etc/resolv.conf");

    private SystemFiles() {}

    /** The names of {@code /etc/hosts}. */
    static Supplier<Set<String>> hosts() {
        return new ChangingFile<>(HOSTS, SystemFiles::names);
    }

    /** The name servers of {@code /etc/resolv.conf}, in their order; none where there is no such file. */
    static Supplier<List<InetSocketAddress>> nameServers() {
        return new ChangingFile<>(RESOLV_CONF, SystemFiles::servers);
    }

    /** The names of a file in the format of {@code /etc/hosts}. */
    static Set<String> names(List<String> lines) {
        return lines.stream().map(line -> line.replaceFirst("#.*", "").strip().split("\\s+"))
                .flatMap(words -> Arrays.stream(words).skip(1)).map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The name servers of a file in the format of {@code resolv.conf(5)}. */
    static List<InetSocketAddress> servers(List<String> lines) {
        return lines.stream().map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > 1 && words[0].equals("nameserver"))
                .flatMap(words -> NameServerAddress.read(words[1]).stream()).toList();
    }

    /** What is read from a file; a file that is not there is empty. Thread-safe. */
    static final class ChangingFile<T> implements Supplier<T> {
        private final Path file;
        private final Function<List<String>, T> reader;
        private FileTime changed = FileTime.fromMillis(0);
        private T value;

        ChangingFile(Path file, Function<List<String>, T> reader) {
            this.file = file;
            this.reader = reader;
            this.value = reader.apply(List.of());
        }

        @Override
        public synchronized T get() {
            try {
                FileTime latest = Files.readAttributes(file, BasicFileAttributes.class).lastModifiedTime();
                if (!latest.equals(changed)) {
                    value = reader.apply(Files.readAllLines(file));
                    changed = latest;
                }
            } catch (IOException e) {
                value = reader.apply(List.of());
                changed = FileTime.fromMillis(0);
            }
            return value;
        }
    }
}
