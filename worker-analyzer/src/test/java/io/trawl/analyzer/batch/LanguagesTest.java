package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.C;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.analyzer.parse.TextLanguage;
import io.trawl.api.Item;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.scope.LanguageRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code scope.languages}. */
class LanguagesTest {
    private static final String GERMAN = """
            Die Flut kommt zweimal am Tag, und die Boote, die am Mittag im Schlamm liegen, schwimmen wieder vor dem \
            Abend.""";
    private static final String ENGLISH = "The tide turns twice a day, and the boats that lie in the mud at noon float again.";
    @AutoClose
    private final Bench bench = Bench.fresh();

    private Written page(String scope, String text) {
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"scope\":{" + scope + "}}"));
        String html = "<p>" + text + "</p><a href=/b>b</a>";
        return bench.commit(Bench.record(0, 1, Fixtures.response(request(A, 0), new Outcome.Success(200, false),
                Map.of("content-type", "text/html; charset=utf-8"), html.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void aPageInAnotherLanguageIsRefusedAndItsLinksAreFollowed() {
        Written w = page("\"languages\":[\"en\",\"fr\"]", GERMAN);
        assertThat(w.items()).isEmpty();
        assertThat(w.urls()).containsExactly(B);
        assertThat(w.ledger().answered()).extracting(AnsweredRequest::outcome, AnsweredRequest::detail)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(OutcomeKind.REFUSED, "LANGUAGE"));
        assertThat(w.ledger().rules()).isEqualTo(Map.of("scope.languages", 1));
        assertThat(w.ledger().refused()).as("the answer is the refusal").isEmpty();
        assertThat(w.ledger().items().orElseThrow().written()).isZero();
    }

    @Test
    void itsLinksAreNotFollowedIfTheCrawlIgnoresThem() {
        Written w = page("\"languages\":[\"en\"],\"otherLanguages\":\"ignore\"", GERMAN);
        assertThat(w.items()).isEmpty();
        assertThat(w.requests()).isEmpty();
        assertThat(w.ledger().refused()).isEmpty();
    }

    @Test
    void aPageInAWantedLanguageIsStored() {
        Written w = page("\"languages\":[\"de\"],\"otherLanguages\":\"ignore\"", GERMAN);
        assertThat(w.items()).extracting(item -> item.fields().get("detectedLanguage")).containsExactly("de");
        assertThat(w.urls()).containsExactly(B);
        assertThat(w.ledger().rules()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Hi", "12 34 56 2025", GERMAN + GERMAN + GERMAN + ENGLISH + ENGLISH + ENGLISH})
    void aPageWhoseLanguageCannotBeToldIsStored(String text) {
        assertThat(page("\"languages\":[\"fr\"],\"otherLanguages\":\"ignore\"", text).items()).singleElement()
                .satisfies(item -> assertThat(item.fields()).doesNotContainKey("detectedLanguage"));
    }

    @Test
    void theTextIsReadForItsLanguageAlone() {
        bench.control.read(
                Fixtures.started(Fixtures.RUN, "{\"scope\":{\"languages\":[\"de\"]},\"extract\":{\"text\":false}}"));
        List<Item> items = bench.commit(
                Bench.record(0, 1, Fixtures.response(request(A, 0), new Outcome.Success(200, false),
                        Map.of("content-type", "text/html; charset=utf-8"), GERMAN.getBytes(StandardCharsets.UTF_8))),
                Bench.record(0, 2, Fixtures.response(request(C, 0), new Outcome.Success(200, false),
                        Map.of("content-type", "text/html; charset=utf-8"), ENGLISH.getBytes(StandardCharsets.UTF_8))))
                .items();
        assertThat(items).singleElement().satisfies(item -> {
            assertThat(item.url()).isEqualTo(A);
            assertThat(item.fields()).doesNotContainKey("text").containsEntry("noText", "off");
        });
    }

    @Test
    void errorsHaveNoLanguage() {
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"scope\":{\"languages\":[\"fr\"]}}"));
        assertThat(bench.commit(Bench.outcome(1, request(A, 0), new Outcome.HttpError(404))).items()).hasSize(1);
    }

    @Test
    void definitionsTakeExactlyTheLanguagesThatAreTold() {
        String[] named = LanguageRules.FORM.split("\\|");
        assertThat(new TreeSet<>(Arrays.asList(named))).isEqualTo(TextLanguage.codes());
        assertThat(RefusalReason.LANGUAGE.name()).isEqualTo("LANGUAGE");
    }
}
