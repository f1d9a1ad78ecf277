package io.trawl.coordinator.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.extract.rule.ItemField;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PreviewedPagesTest {
    private static final CrawlDefinition DEFINITION = CrawlDefinition.of(List.of());
    private final ManualTime time = ManualTime.standing();
    private final PreviewedPages pages = new PreviewedPages(time, new AtomicLong(255)::getAndIncrement);

    private static Response page(int bytes) {
        Request request = RequestBuilder.builder().id(new RequestId(1)).run(new CrawlRun(new CrawlId("docs"), 1))
                .url("http://example.org/").host(new HostKey("example.org:80")).seed(true).build();
        return new Response(request, new Outcome.Success(200, false), new MID(ModuleKind.DOWNLOADER, 1, "localhost", 1),
                Instant.EPOCH, Duration.ZERO, 1, Map.of(), new Body(new byte[bytes]));
    }

    private String keep(int bytes) {
        return pages.keep(page(bytes), DEFINITION).orElseThrow();
    }

    @Test
    void aPageIsKeptForTenMinutes() {
        String id = keep(1);
        assertThat(id).isEqualTo("ff");
        time.advance(Duration.ofMinutes(10));
        assertThat(pages.page(id).response().body().length()).isOne();
        time.advance(Duration.ofMillis(1));
        assertThatThrownBy(() -> pages.page(id)).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("page: 'ff' is not valid").hasMessageContaining("preview it again");
    }

    @Test
    void twentyPagesAndSixteenMebibytesAreKept() {
        String first = keep(1);
        for (int i = 0; i < 19; i++) {
            keep(1);
        }
        assertThat(pages.page(first)).isNotNull();
        String last = keep(1);
        assertThatThrownBy(() -> pages.page(first)).isInstanceOf(InvalidValueException.class);
        String large = keep(16 << 20);
        assertThat(pages.page(large)).isNotNull();
        assertThatThrownBy(() -> pages.page(last)).isInstanceOf(InvalidValueException.class);
        assertThat(pages.keep(page((16 << 20) + 1), DEFINITION)).isEmpty();
    }

    @Test
    void aFieldThatIsNotValidIsNamedAsTheCallerKnowsIt() {
        ItemField field = Json.readBounded("{\"css\":\"h1[\",\"required\":true}".getBytes(StandardCharsets.UTF_8),
                ItemField.class);
        assertThatThrownBy(() -> FieldTrial.definition(field, DEFINITION)).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("field.css: 'h1[' is not valid: a CSS selector");
        CrawlDefinition made = FieldTrial.definition(ItemField.of("h1"), DEFINITION);
        assertThat(made.extract().pageItem()).isFalse();
        assertThat(made.extract().items().getFirst().fields().values()).allMatch(ItemField::list);
    }
}
