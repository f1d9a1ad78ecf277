package io.trawl.downloader.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.ArchiveSource;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.plugin.Plugins;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrawlArchivesTest {
    private static final String URL = "http://h/a";
    @TempDir
    Path temp;

    private void archive(String folder, String body) throws Exception {
        String http = "HTTP/1.1 200 OK\r\n\r\n" + body;
        String file = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: " + URL
                + "\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
                + "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Type: application/http; msgtype=response"
                + "\r\nContent-Length: " + http.length() + "\r\n\r\n" + http + "\r\n\r\n";
        Files.write(Files.createDirectories(temp.resolve(folder)).resolve("a.warc"),
                file.getBytes(StandardCharsets.ISO_8859_1));
    }

    private CrawlArchives archives() {
        return new CrawlArchives(Optional.of(temp), 1000, Time.system());
    }

    private static FetchResult fetch(Fetcher archives, String name) throws Exception {
        Request request = RequestBuilder.builder().id(new RequestId(7)).run(CrawlRun.parse("docs/1")).url(URL)
                .host(new HostKey("h:80")).priority(1).seed(true).domains(1).build();
        return archives.fetch(request, new FetchProfile("Trawl").withReplay(Optional.of(name)), () -> true).get(30,
                TimeUnit.SECONDS);
    }

    private static String text(FetchResult result) {
        return new String(result.body().bytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void eachCrawlIsAnsweredByTheArchiveThatItNames() throws Exception {
        CrawlArchives archives = archives();
        for (int i = 0; i < 9; i++) {
            archive("of" + i, "page " + i);
            assertThat(text(fetch(archives, "of" + i))).isEqualTo("page " + i);
        }
        assertThat(text(fetch(archives, "of0"))).as("read again, since only the last ones are kept")
                .isEqualTo("page 0");
    }

    @Test
    void anArchiveThatIsMissingFailsItsRequestsUntilItIsThere() throws Exception {
        CrawlArchives archives = archives();
        FetchResult missing = fetch(archives, "docs-1");
        assertThat(missing.outcome()).isInstanceOfSatisfying(Outcome.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(FailureReason.OTHER);
            assertThat(failure.cause()).contains("the archive docs-1 cannot be read",
                    temp.resolve("docs-1").toString());
        });
        archive("docs-1", "there");
        assertThat(text(fetch(archives, "docs-1"))).isEqualTo("there");
    }

    @Test
    void aDownloaderWithoutArchivesSendsNothingEither() throws Exception {
        CrawlArchives none = new CrawlArchives(Optional.empty(), 1000, Time.system());
        assertThat(fetch(none, "docs-1").outcome()).isInstanceOfSatisfying(Outcome.Failure.class,
                failure -> assertThat(failure.cause()).contains("TRAWL_DOWNLOADER_ARCHIVES"));
    }

    @Test
    void aDownloaderFindsThePartThatReadsArchivesAsItFindsPlugIns() throws Exception {
        archive("docs-1", "found");
        try (Plugins plugins = Plugins.in(Optional.empty())) {
            Fetcher found = plugins.of(ArchiveSource.class).getFirst().fetcher(Optional.of(temp), 1000, Time.system());
            assertThat(text(fetch(found, "docs-1"))).isEqualTo("found");
        }
    }
}
