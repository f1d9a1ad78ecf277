package io.trawl.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SalvagedHeaderTest {
    private static final SalvagedHeader EXPECTED = new SalvagedHeader(CrawlRun.parse("docs/2"), new RequestId(255));

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":\"00000000000000ff\",\"run\":\"docs/2\",\"url\":\"http://x/",
            "{\"schema\":7,\"run\":\"docs/2\",\"id\":\"00000000000000ff\"}",
            "{\"new\":{\"id\":1,\"run\":[2]},\"id\":\"00000000000000ff\",\"old\":[{}],\"run\":\"docs/2\",\"depth\":\"deep\"}",
            "{\"request\":{\"id\":\"00000000000000ff\",\"run\":\"docs/2\",\"depth\":{}},\"outcome\":7}",
            "{\"mid\":\"?\",\"request\":{\"url\":null,\"run\":\"docs/2\",\"id\":\"00000000000000ff\"}"})
    void runAndIdAreFoundAlthoughTheRestCannotBeRead(String json) {
        assertThat(SalvagedHeader.of(bytes(json))).contains(EXPECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "7", "[]", "{broken", "{\"id\":\"00000000000000ff\"}", "{\"run\":\"docs/2\"}",
            "{\"id\":255,\"run\":\"docs/2\"}", "{\"id\":\"xyz\",\"run\":\"docs/2\"}",
            "{\"id\":\"00000000000000ff\",\"run\":\"docs\"}", "[{\"id\":\"00000000000000ff\",\"run\":\"docs/2\"}]"})
    void withoutAReadableRunAndIdThereIsNoHeader(String json) {
        assertThat(SalvagedHeader.of(bytes(json))).isEmpty();
    }

    @Test
    void theAnswerListsTheIdOnceAsRefusedAndNothingElse() {
        assertThat(new String(Codec.encode(EXPECTED.answer()), StandardCharsets.UTF_8))
                .contains("[\"00000000000000ff\",\"REFUSED\",\"MALFORMED\",true]")
                .doesNotContain("emitted", "bytes\":1");
        assertThat(Codec.ledger(Codec.encode(EXPECTED.answer()))).isEqualTo(EXPECTED.answer());
    }
}
