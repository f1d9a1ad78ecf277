package io.trawl.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.MalformedRecordException;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FramedResponseTest {
    @Test
    void aResponseComesThroughWithEveryByteOfItsBodyAndEveryCharacterOfItsHeaders() {
        byte[] body = {'\n', 0, -1, '\r', '\n', '{'};
        Request request = RequestBuilder.builder().id(new RequestId(1)).run(new CrawlRun(new CrawlId("docs"), 1))
                .url("http://a/").host(new HostKey("a:80")).priority(1).seed(true).domains(1).build();
        Response sent = new Response(request, new Outcome.Success(200, false), MID.parse("D1|127.0.0.1:80"),
                Instant.EPOCH, Duration.ofMillis(5), 1, Map.of("x-line", "a\nb\u2028é"), new Body(body));
        Response read = FramedResponse.read(FramedResponse.write(sent));
        assertThat(read.request()).isEqualTo(request);
        assertThat(read.headers()).isEqualTo(sent.headers());
        assertThat(read.body().bytes()).isEqualTo(body);
    }

    @Test
    void whatHasNoFirstLineIsRefused() {
        assertThatThrownBy(() -> FramedResponse.read("{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(MalformedRecordException.class);
    }
}
