package io.trawl.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException.Fault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Method and body of a request; the other options are in the tests of those who name them. */
class RequestOptionRulesTest {
    private static final FetchOptions JSON = FetchOptions.NONE.with()
            .headers(Map.of("Content-Type", "application/json", "X-A", "b", "content-language", "en"))
            .cookie(Optional.of("c=d")).metadata(Map.of("k", "v")).method(Optional.of("POST")).body(Optional.of("{}"))
            .build();

    private static FetchOptions sending(String method, String body) {
        return FetchOptions.NONE.with().method(Optional.of(method)).body(Optional.of(body)).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
    void theMethodsOfPagesAndFormsAreValid(String method) {
        assertThat(RequestOptionRules.faults(sending(method, ""))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "TRACE", "OPTIONS", "post", "", "PO ST", "POST\r\nX: y"})
    void anotherMethodIsOneFaultThatNamesTheValueAndTheRule(String method) {
        assertThat(RequestOptionRules.faults(sending(method, "")))
                .containsExactly(new Fault("method", method, "one of GET, HEAD, POST, PUT, PATCH, DELETE"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void aMethodThatAsksForAPageHasNoBody(String method) {
        assertThat(RequestOptionRules.faults(sending(method, "q=1")))
                .containsExactly(new Fault("body", "3 bytes", "none with the method " + method));
    }

    @ParameterizedTest
    @ValueSource(strings = {"q=1", "{\"a\":\t\"é\"}\r\n", "\uD83D\uDE00"})
    void aBodyIsText(String body) {
        assertThat(RequestOptionRules.faults(sending("POST", body))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "\uD83D", "\u007f", "\u0085"})
    void aBodyWithControlCharactersOrHalfACharacterIsAFaultThatDoesNotShowIt(String body) {
        assertThat(RequestOptionRules.faults(sending("POST", body))).singleElement().satisfies(fault -> {
            assertThat(fault.field()).isEqualTo("body");
            assertThat(fault.value()).endsWith(" bytes");
            assertThat(fault.rule()).startsWith("text in Unicode");
        });
    }

    @Test
    void aBodyCountsToTheSizeOfAllOptions() {
        assertThat(RequestOptionRules.faults(sending("POST", "x".repeat(64 * 1024)))).isEmpty();
        List<Fault> faults = RequestOptionRules.faults(sending("POST", "é".repeat(32 * 1024) + "x"));
        assertThat(faults).singleElement().satisfies(fault -> {
            assertThat(fault.field()).isEqualTo("options");
            assertThat(fault.text()).contains("65537 bytes", "body", "at most 65536 bytes");
        });
    }

    @ParameterizedTest
    @CsvSource({"301, POST, GET", "302, POST, GET", "303, POST, GET", "307, POST, POST", "308, POST, POST",
            "301, PUT, PUT", "303, PUT, GET", "303, HEAD, HEAD", "302, HEAD, HEAD", "307, DELETE, DELETE",
            "303, GET, GET"})
    void aRedirectKeepsOrChangesTheMethodAsHttpSays(int status, String method, String then) {
        String body = method.equals("POST") || method.equals("PUT") ? "q=1" : "";
        FetchOptions target = sending(method, body).redirected(status);
        assertThat(target.methodName()).isEqualTo(then);
        assertThat(target.body().orElse("")).isEqualTo(then.equals(method) ? body : "");
    }

    @Test
    void whatDescribesABodyGoesWithIt() {
        FetchOptions target = JSON.redirected(303);
        assertThat(target.headers()).isEqualTo(Map.of("X-A", "b"));
        assertThat(target.cookie()).contains("c=d");
        assertThat(JSON.redirected(308)).isEqualTo(JSON);
        FetchOptions away = JSON.forAnotherServer();
        assertThat(away.headers()).isEqualTo(Map.of("Content-Type", "application/json"));
        assertThat(away.cookie()).isEmpty();
        assertThat(away.body()).contains("{}");
        assertThat(target.forAnotherServer().headers()).isEmpty();
    }

    @Test
    void whatAPageHandsToItsLinksHasNeitherMethodNorBody() {
        assertThat(JSON.inherited().methodName()).isEqualTo("GET");
        assertThat(JSON.inherited().body()).isEmpty();
    }
}
