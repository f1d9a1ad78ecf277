package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.ArchivedBody;
import io.trawl.model.Body;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.netpreserve.jwarc.WarcMetadata;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;
import org.netpreserve.jwarc.tools.ValidateTool;

/** Numbered responses of all kinds, and checks of the archives that hold them. */
final class WrittenResponses {
    private WrittenResponses() {}

    /**
     * Of ten, one is a failure, one an error, one a redirect, one a refusal, one has the body of another, one is
     * unchanged since an earlier run, and one has the body that it had then.
     */
    static Response of(int number, CrawlRun run) {
        Outcome outcome = switch (number % 10) {
            case 1 -> new Outcome.Failure(FailureReason.TIMEOUT, "no answer");
            case 2 -> new Outcome.HttpError(404);
            case 3 -> new Outcome.Redirect(301, "/elsewhere");
            case 4 -> new Outcome.Duplicate();
            case 6 -> new Outcome.Unchanged();
            default -> new Outcome.Success(200, false);
        };
        String body = number % 10 == 5 ? "the same for some" : number % 10 == 2 ? "not found" : "<p>body " + number;
        boolean answered = outcome instanceof Outcome.Success || outcome instanceof Outcome.HttpError
                || outcome instanceof Outcome.Redirect || outcome instanceof Outcome.Unchanged;
        String url = "http://h" + number % 3 + "/" + number;
        Request request = RequestBuilder.builder().id(new RequestId(number)).run(run).url(url)
                .host(new HostKey("h" + number % 3 + ":80")).depth(number % 4).priority(1).domains(1)
                .parent(Optional.of("http://h/parent")).build();
        ArchivedExchange exchange = new ArchivedExchange("GET /" + number + " HTTP/1.1\r\nHost: h\r\n\r\n",
                "HTTP/1.1 " + outcome.detail()
                        + " Said\r\nContent-Type: text/html; charset=utf-8\r\nX-\u00fc: \u00e4\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n",
                Optional.of("127.0.0.1"), "http/1.1", false);
        Response made = new Response(request, outcome, MID.parse("D1|127.0.0.1:80"),
                Instant.ofEpochSecond(1_700_000_000L + number, 123_456_789), Duration.ofMillis(5),
                outcome instanceof Outcome.Duplicate ? 0 : 1, Map.of("content-type", "text/html; charset=utf-8"),
                new Body((answered && number % 10 != 3 && number % 10 != 6 ? body : "")
                        .getBytes(StandardCharsets.UTF_8)),
                answered ? Optional.of(exchange) : Optional.empty(), Optional.empty(), Optional.empty());
        return number % 10 == 6 || number % 10 == 7 ? visited(made) : made;
    }

    /** The answer to a visit of a page whose body is in the archive of an earlier run. */
    private static Response visited(Response made) {
        Visit visit = VisitBuilder.builder().number(1).state(PageState.STORED)
                .archived(Optional.of(ArchivedBody.of(made))).build();
        return made.withRequest(made.request().withVisit(Optional.of(visit)));
    }

    /** The numbers of those that an archive holds. */
    static boolean archived(int number) {
        return number % 10 != 4;
    }

    /**
     * Asserts that the finished archives hold these and no others, once, with their bodies, and that jwarc finds no
     * fault in them.
     */
    static void assertArchived(Path root, List<Integer> numbers) throws Exception {
        List<Integer> found = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> archives = files.filter(path -> path.toString().endsWith(".warc.gz")).toList();
            for (Path file : archives) {
                found.addAll(read(file, ids));
            }
            assertValid(archives);
        }
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(numbers.stream().filter(WrittenResponses::archived).toList());
    }

    private static List<Integer> read(Path file, Set<String> ids) throws IOException {
        List<Integer> found = new ArrayList<>();
        List<String> index = Files
                .readAllLines(file.resolveSibling(file.getFileName().toString().replace(".warc.gz", ".cdxj")));
        assertThat(index).isSorted();
        int answers = 0;
        try (WarcReader reader = new WarcReader(file)) {
            for (WarcRecord record : reader) {
                assertThat(ids.add(record.id().toString())).as("%s in %s", record.id(), file).isTrue();
                switch (record) {
                    case WarcMetadata metadata -> {
                        String json = metadata.fields().first("trawl").orElseThrow();
                        Response response = Codec.response(json.getBytes(StandardCharsets.UTF_8), Body.EMPTY);
                        int number = (int) response.request().id().value();
                        found.add(number);
                        assertThat(metadata.target()).isEqualTo(of(number, response.run()).url());
                    }
                    case WarcResponse answer -> {
                        answers++;
                        int number = Integer.parseInt(answer.targetURI().getPath().substring(1));
                        String offset = "\"offset\":\"" + reader.position() + "\"";
                        assertThat(index).anyMatch(line -> line.contains(offset) && line.contains(answer.target()));
                        Response written = of(number, CrawlRun.parse("docs/1"));
                        assertThat(answer.http().body().stream().readAllBytes()).isEqualTo(written.body().bytes());
                        assertThat(answer.http().headers().first("X-Crawler-Transfer-Encoding")).contains("chunked");
                    }
                    case WarcRevisit revisit -> {
                        answers++;
                        assertThat(revisit.http().status()).isEqualTo(
                                revisit.target().endsWith("2") ? 404 : revisit.target().endsWith("6") ? 304 : 200);
                        assertThat(revisit.refersTo().isEmpty()).as("what an earlier run has archived")
                                .isEqualTo(revisit.target().matches(".*[67]"));
                    }
                    default -> {
                        // Requests and warcinfo.
                    }
                }
            }
        }
        assertThat(index).hasSize(answers);
        return found;
    }

    /** Asserts that the validator of jwarc finds no fault. */
    private static void assertValid(List<Path> files) throws Exception {
        if (files.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                Path.of(ValidateTool.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString(),
                ValidateTool.class.getName(), "-v"));
        files.forEach(file -> command.add(file.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("pass").doesNotContain("FAIL", "ERROR", "WARN");
    }
}
