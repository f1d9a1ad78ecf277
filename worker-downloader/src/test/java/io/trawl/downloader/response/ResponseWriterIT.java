package io.trawl.downloader.response;

import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.HostPartitioner;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.ResponseHeaders;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.ledger.LedgerRecord.MovedRequest;
import io.trawl.ledger.LogPartition;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
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
import io.trawl.model.TraceContext;
import io.trawl.telemetry.Outage;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ResponseWriterIT {
    private static final LogPartition LOG = new LogPartition("requests", "id", 0);
    private static final Channels CHANNELS = ChannelsBuilder.builder().version(1).generation(Channels.FIRST_GENERATION)
            .levels(3).partitions(3).politeness(PolitenessKey.HOST).responses(1).items(1).ledger(1).build();
    /** Text that is too long even when compressed. */
    private static final String LONG = new Random(7).ints(30_000, '!', '~').mapToObj(Character::toString)
            .collect(Collectors.joining());
    private Optional<Channels> channels = Optional.of(CHANNELS);
    private final KafkaFixture fixture = new KafkaFixture();
    private final String topic = fixture.create(fixture.topics().responses(), 1, Map.of("max.message.bytes", "20000"));
    private final List<AcknowledgedAnswer> acknowledged = new CopyOnWriteArrayList<>();

    private static Request request(FetchOptions options) {
        return RequestBuilder.builder().id(new RequestId(7)).run(new CrawlRun(new CrawlId("docs"), 1)).url("http://a/1")
                .host(new HostKey("a:80")).depth(1).seed(true).domains(1).options(options).build();
    }

    private static FetchOptions huge() {
        return FetchOptions.NONE.withHeaders(Map.of("X-Long", LONG));
    }

    private Response written(RequestAnswer requestAnswer) {
        write(new Unwritten.Answer(1, LOG, 5, requestAnswer));
        var record = fixture.records(topic).getLast();
        return ResponseHeaders.response(record);
    }

    private void write(Unwritten unwritten) {
        BodyMemory memory = new BodyMemory(1, 64, 1_000_000, Time.system());
        List<Throwable> broken = new CopyOnWriteArrayList<>();
        try (ResponseWriter writer = new ResponseWriter(() -> fixture.kafka().producer("answers"), memory,
                fixture.topics(), CHANNELS, new PartitionCounts(fixture.topics(), () -> channels),
                MID.parse("D1|127.0.0.1:80"), Time.system(), new Outage("kafka"), acknowledged::add, broken::add)) {
            int before = acknowledged.size();
            writer.write(unwritten);
            await().until(() -> acknowledged.size() > before);
            assertThat(memory.free()).as("all is given back").isEqualTo(1_000_000);
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void anAnswerWithoutAFetchWhoseRequestIsTooLargeEndsWithoutItsOptions() {
        Response response = written(
                new RequestAnswer(request(huge()), new Outcome.Duplicate(), Optional.empty(), 0, OptionalInt.empty()));
        assertThat(response.request()).isEqualTo(request(FetchOptions.NONE));
        assertThat(response.outcome()).isEqualTo(new Outcome.Duplicate());
    }

    @Test
    void aPageWhoseRequestIsAlsoTooLargeEndsAsAFailureWithoutOptions() {
        FetchResult page = new FetchResult(new Outcome.Success(200, false), Map.of(),
                new Body(KafkaFixture.bytes(LONG)), Duration.ZERO, Optional.empty(), Instant.EPOCH);
        Response response = written(
                new RequestAnswer(request(huge()), page.outcome(), Optional.of(page), 1, OptionalInt.of(1)));
        assertThat(response.request()).isEqualTo(request(FetchOptions.NONE));
        assertThat(response.outcome()).isInstanceOfSatisfying(Outcome.Failure.class,
                failure -> assertThat(failure.reason()).isEqualTo(FailureReason.TOO_LARGE));
        assertThat(acknowledged.getFirst().ledgerFact()).isPresent();
    }

    @Test
    void theAnswerToARequestForASitemapIsMarkedToBeHandledAlone() {
        for (FetchOptions options : List.of(FetchOptions.ofSource(FetchOptions.ROBOTS),
                FetchOptions.ofSource(FetchOptions.SITEMAP), FetchOptions.NONE)) {
            written(new RequestAnswer(request(options), new Outcome.HttpError(503), Optional.empty(), 1,
                    OptionalInt.of(1)));
        }
        assertThat(fixture.records(topic)).extracting(record -> ResponseHeaders.alone(record.headers()))
                .containsExactly(false, true, false);
    }

    @Test
    void responsesGoByTheCanonicalUrlAndMovedRequestsByTheirServer() {
        Request request = request(FetchOptions.NONE).withCanonical(Optional.of("https://page/1"));
        written(new RequestAnswer(request, new Outcome.Duplicate(), Optional.empty(), 0, OptionalInt.empty()));
        assertThat(new String(fixture.records(topic).getLast().key(), UTF_8)).isEqualTo("page:443");

        String requests = fixture.create(fixture.topics().requests(Channels.FIRST_GENERATION, 0), 3,
                Map.of("max.message.bytes", "20000"));
        RequestAnswer redirect = new RequestAnswer(request, new Outcome.Redirect(301, "http://b/1"), Optional.empty(),
                1, OptionalInt.of(1));
        Request moved = request.movedTo("http://b/1", new HostKey("b:80"), 301)
                .withCanonical(Optional.of("https://page/1"));
        write(new Unwritten.Copy(2, LOG, 6, new ForwardedRequest.AtServer(redirect, moved)));
        var record = fixture.records(requests).getLast();
        assertThat(Codec.request(record.value())).isEqualTo(moved);
        assertThat(record.partition()).isEqualTo(HostPartitioner.of(moved.host(), CHANNELS));
        assertThat(acknowledged.getLast().ledgerFact()).as("nothing is known of the page yet").isEmpty();

        String higher = fixture.create(fixture.topics().requests(Channels.FIRST_GENERATION, 2), 3, Map.of());
        String ledger = fixture.create(fixture.topics().ledger(), 1, Map.of());
        DeliveredRecord original = new DeliveredRecord(8, "a:80".getBytes(UTF_8), Codec.encode(request),
                TraceContext.NONE);
        write(new Unwritten.Copy(4, new LogPartition("requests", "id", 1), 8,
                new ForwardedRequest.AtPriority(original, request.withPriority(2), 5)));
        var copy = fixture.records(higher).getLast();
        assertThat(Codec.request(copy.value())).isEqualTo(request.withPriority(2));
        assertThat(copy.partition()).as("the same number").isEqualTo(1);
        assertThat(Codec.ledger(fixture.records(ledger).getLast().value()).moved())
                .as("when it is acknowledged, the ledger knows").containsExactly(new MovedRequest(request.id(), 2, 5));

        Request tooLong = moved.movedTo("http://b/" + LONG.replace('#', 'x'), new HostKey("b:80"), 301);
        write(new Unwritten.Copy(3, LOG, 7, new ForwardedRequest.AtServer(redirect, tooLong)));
        var answer = fixture.records(topic).getLast();
        assertThat(ResponseHeaders.response(answer).outcome()).isInstanceOfSatisfying(Outcome.Failure.class,
                failure -> assertThat(failure.reason()).isEqualTo(FailureReason.TOO_LARGE));
    }
}
