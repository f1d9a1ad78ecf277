package io.trawl.analyzer.batch;

import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.channel.ResponseHeaders;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.MapLedger;
import io.trawl.model.ArchivedBody;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.KnownItems;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chain of the visits of one page: each answer leads to the next visit, and says what has changed. */
class NextVisitsTest {
    private static final String DATE = "Wed, 21 Oct 2015 07:28:00 GMT";
    private static final String TEXT = "<title>A</title><p>The text of the page</p>";
    private static final String ROWS = """
            {"items": [{"type": "row", "each": "li", "fields": {"name": {"css": "b", "required": true}}}]}""";
    private static final Outcome MISSING = new Outcome.HttpError(404);
    private final Bench bench = Bench.with(new MapLedger());
    private Request next = Fixtures.request(A, 1);
    private long offset = 5;

    NextVisitsTest() {
        refreshing("{}");
    }

    private void refreshing(String rules) {
        refreshing(rules, "{}");
    }

    private void refreshing(String rules, String extract) {
        refreshing(rules, extract, Optional.empty());
    }

    private void refreshing(String rules, String extract, Optional<Long> archived) {
        String definition = "{\"limits\":{\"depth\":3},\"refresh\":%s,\"extract\":%s}".formatted(rules, extract);
        bench.control
                .read(Fixtures
                        .started(Fixtures.RUN, definition).with(
                                made -> made.version(offset)
                                        .visits(Optional.of(new RunVisits(
                                                0, Optional.of(new VisitSource(1, 0, 0, 0, true, VisitChoice.ALL,
                                                        archived, Optional.of(new PromotedVisits(0, 0, 0)))),
                                                archived)))));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** One visit in a run of its own: what is known of the page is in its request alone. */
    private Written visit(ConsumerRecord<byte[], byte[]> answer) {
        try (Bench run = Bench.with(new MapLedger())) {
            run.control.read(
                    bench.control.crawl(Fixtures.RUN.crawl()).orElseThrow()
                            .with(s -> s.version(++offset).run(next.run())),
                    new Domains(next.run(), 7, Set.of("example.org")));
            Written written = run.commit(answer);
            assertThat(written.visits()).as("one next visit").hasSize(1);
            CrawlRun last = next.run();
            next = written.visits().getFirst().with(copy -> copy.run(new CrawlRun(last.crawl(), last.epoch() + 1)));
            assertThat(next.url()).isEqualTo(A);
            return written;
        }
    }

    private Written visit(String html, String... headers) {
        return visit(page(5, next, html, headers));
    }

    private Written visit(Outcome outcome) {
        return visit(outcome(5, next, outcome));
    }

    private Visit known() {
        return next.visit().orElseThrow();
    }

    private static List<Object> changes(Written written) {
        return written.items().stream().map(item -> item.fields().get("change")).toList();
    }

    @Test
    void aPageIsAskedForWithWhatItsServerHasSaid() {
        assertThat(changes(visit(TEXT, "etag", "W/\"a-gzip\"", "last-modified", DATE))).containsExactly("new");
        assertThat(known().number()).isEqualTo(1);
        assertThat(known().etag()).contains("W/\"a-gzip\"");
        assertThat(known().lastModified()).contains(DATE);
        assertThat(known().state()).isEqualTo(PageState.STORED);
        assertThat(next.id()).isNotEqualTo(Fixtures.request(A, 1).id());

        Written same = visit(new Outcome.Unchanged());
        assertThat(same.items()).isEmpty();
        assertThat(same.ledger().answered()).extracting(AnsweredRequest::outcome, AnsweredRequest::stored)
                .containsExactly(org.assertj.core.api.Assertions.tuple(OutcomeKind.UNCHANGED, true));
        assertThat(known().number()).isEqualTo(2);
        assertThat(known().etag()).as("what is not sent again stays valid").contains("W/\"a-gzip\"");
        assertThat(changes(visit("<title>A</title><p>Another text</p>", "etag", "\"b\""))).containsExactly("changed");
        assertThat(known().lastModified()).as("of another version").isEmpty();
    }

    @Test
    void aPageThatComesAgainAsItWasHasNoItemButItsLinks() {
        String text = "<main><p>" + "This is what the page has to say, in a sentence. ".repeat(9) + "</p></main>";
        visit(linking("/b") + text);
        Written same = visit(linking("/b", "/c") + "<nav>token 4711</nav>" + text);
        assertThat(same.items()).isEmpty();
        assertThat(same.ledger().answered().getFirst().outcome()).isEqualTo(OutcomeKind.UNCHANGED);
        assertThat(same.ledger().answered().getFirst().detail()).isEqualTo("200");
        assertThat(same.urls()).containsExactly("http://example.org/b", "http://example.org/c");
    }

    @Test
    void aPageThatHasNotChangedHasAnItemThatSaysSoIfTheCrawlWantsIt() {
        refreshing("{\"unchanged\":true,\"events\":true}");
        String stored = visit(TEXT).items().getFirst().id();
        for (Written same : List.of(visit(new Outcome.Unchanged()), visit(TEXT))) {
            assertThat(same.ledger().answered().getFirst().outcome()).isEqualTo(OutcomeKind.UNCHANGED);
            assertThat(same.changes()).as("no event").isEmpty();
            assertThat(same.items()).singleElement().satisfies(item -> {
                assertThat(item.kind()).as("it has no content").isEqualTo(ItemKind.ERROR);
                assertThat(item.fields()).containsEntry("kind", "UNCHANGED").containsEntry("change", "unchanged")
                        .containsEntry("previous", stored).doesNotContainKeys("text", "changedFields");
            });
        }
        assertThat(known().number()).isEqualTo(3);
        visit(MISSING);
        assertThat(changes(visit(TEXT))).as("it was not gone").containsExactly("unchanged");
        visit(MISSING);
        visit(MISSING);
        assertThat(visit(MISSING).items()).as("it is not there").isEmpty();
    }

    @Test
    void thatAPageIsGoneIsToldAtTheSecondAnswerInARow() {
        visit(TEXT);
        assertThat(changes(visit(MISSING))).as("an error as always").containsOnlyNulls();
        assertThat(known().state()).isEqualTo(PageState.MISSING);
        assertThat(visit(TEXT).items()).as("it was not gone").isEmpty();
        visit(new Outcome.HttpError(410));
        visit(new Outcome.HttpError(503));
        assertThat(changes(visit(MISSING))).as("another error says nothing of the page").containsExactly("gone");
        assertThat(visit(MISSING).items()).as("that is told").isEmpty();
        assertThat(changes(visit(TEXT))).containsExactly("back");
        assertThat(changes(visit("<p>Other</p>"))).containsExactly("changed");
    }

    @Test
    void aPageThatRedirectsTwiceToOneThatTheCrawlTakesHasMoved() {
        visit(TEXT);
        Outcome elsewhere = new Outcome.Redirect(301, "/b");
        assertThat(visit(elsewhere).items()).isEmpty();
        Written second = visit(elsewhere);
        assertThat(changes(second)).containsExactly("moved");
        assertThat(second.items().getFirst().fields()).containsEntry("status", 301)
                .containsEntry("movedTo", "http://example.org/b").containsEntry("visit", 3);
        assertThat(visit(MISSING).items()).as("that is told").isEmpty();
        assertThat(changes(visit(TEXT))).containsExactly("back");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://elsewhere.example/", "/a", "ftp://example.org/", "/#"})
    void aPageThatRedirectsTwiceToAnythingElseIsGone(String location) {
        visit(TEXT);
        visit(MISSING);
        Written second = visit(new Outcome.Redirect(308, location));
        assertThat(changes(second)).containsExactly(location.equals("/#") ? "moved" : "gone");
        assertThat(second.items().getFirst().fields().containsKey("movedTo")).isEqualTo(location.equals("/#"));
    }

    @Test
    void anItemThatHasChangedNamesItsFieldsAndTheItemInWhosePlaceItIs() {
        Item stored = only(visit(TEXT));
        assertThat(stored.fields()).doesNotContainKeys("previous", "changedFields");
        visit(new Outcome.Unchanged());
        visit(TEXT);
        Item changed = only(visit("<title>A</title><p>Another text</p>"));
        assertThat(changed.fields()).containsEntry("changedFields", List.of("text")).containsEntry("previous",
                stored.id());
        assertThat(only(visit("<p>Yet another")).fields()).containsEntry("changedFields", List.of("title", "text"))
                .containsEntry("previous", changed.id());
        visit(page(5, next, "1", "content-type", "image/png"));
        assertThat(only(visit(page(5, next, "2", "content-type", "image/png"))).fields())
                .as("where there is no text the body counts").containsEntry("changedFields", List.of("sha256"));
        visit(MISSING);
        visit(MISSING);
        assertThat(only(visit(TEXT)).fields()).as("it was gone").doesNotContainKeys("previous", "changedFields");
    }

    @Test
    void beyondSixteenFieldsNoneIsNamedAndNoneWrongly() {
        refreshing("{}", ROWS);
        visit(rows(18, 18));
        List<Item> last = visit(rows(18, 17)).items();
        assertThat(last).filteredOn(item -> item.fields().containsKey("change"))
                .as("the first sixteen are as they were").isEqualTo(last.subList(16, 18))
                .noneMatch(item -> item.fields().containsKey("changedFields"));
        assertThat(visit(rows(18, 15)).items()).filteredOn(item -> item.fields().containsKey("change"))
                .extracting(item -> item.fields().get("ordinal"), item -> item.fields().get("changedFields"))
                .containsExactly(org.assertj.core.api.Assertions.tuple(15, List.of("name")),
                        org.assertj.core.api.Assertions.tuple(17, null));
        assertThat(visit(rows(18, 2)).items()).as("the seventeenth, which nobody knows, is the sixteenth now")
                .filteredOn(item -> item.kind() == ItemKind.PAGE).hasSize(17)
                .noneMatch(item -> item.fields().containsKey("changedFields"));
    }

    /** Rows, of which one is another one at each visit; the second row lacks its field then, and is no item. */
    private String rows(int count, int other) {
        return rows(IntStream.rangeClosed(0, count)
                .mapToObj(i -> i != other ? "name" + i : i == 2 ? "" : "name of " + known(other)).skip(1)
                .toArray(String[]::new));
    }

    private String known(int other) {
        return other + " at visit " + next.visit().map(Visit::number).orElse(0);
    }

    @Test
    void onlyATextThatHasHardlyChangedIsTouched() {
        String text = IntStream.range(0, 400).mapToObj(i -> "word" + i * i % 997).collect(Collectors.joining(" "));
        visit("<title>A</title><p>" + text);
        Item touched = only(visit("<title>A</title><p>" + text.replace("word4 ", "other ")));
        assertThat(touched.fields()).containsEntry("change", "touched").containsEntry("changedFields", List.of("text"))
                .containsKey("previous");
        assertThat(changes(visit("<title>B</title><p>" + text))).containsExactly("changed");
        assertThat(changes(visit("<title>B</title><p>" + text.replace("word", "w")))).containsExactly("changed");
        visit("<title>B</title><p>too short to tell");
        assertThat(changes(visit("<title>B</title><p>too short to see"))).containsExactly("changed");
    }

    @Test
    void itemsThatAPageHasNoLongerAreToldGoneOneByOne() {
        refreshing("{}", ROWS);
        Written stored = visit(rows("a", "", "c", "d"));
        Written fewer = visit(rows("a", "b", "C"));
        assertThat(fewer.items()).extracting(item -> item.fields().get("ordinal") + " " + item.fields().get("change"))
                .as("the others are as they were").containsExactly("1 null", "2 new", "3 changed", "4 gone");
        Item gone = fewer.items().getLast();
        assertThat(gone.kind()).isEqualTo(ItemKind.ERROR);
        assertThat(gone.key()).isEqualTo(stored.items().getLast().key());
        assertThat(gone.fields()).containsEntry("kind", "GONE").containsEntry("status", 200)
                .containsEntry("type", "row").containsEntry("visit", 2);
        visit(MISSING);
        Written away = visit(new Outcome.HttpError(410));
        assertThat(away.items()).hasSize(4).allMatch(item -> "gone".equals(item.fields().get("change")));
        assertThat(away.items()).extracting(Item::key).doesNotHaveDuplicates()
                .containsAll(visit(rows("a", "b", "c")).items().stream().map(Item::key).toList());
        assertThat(changes(visit("<p>no row"))).as("all are gone, which the page is not").containsExactly("gone",
                "gone", "gone");
        assertThat(visit(MISSING).items()).isEmpty();
        assertThat(changes(visit(rows("a")))).containsExactly("back");
    }

    @Test
    void anItemThatItsRuleKnowsByFieldsIsTheSameWhereverItIsOnThePage() {
        refreshing("{}", """
                {"items": [{"type": "offer", "each": "li", "key": ["sku"], "fields": {"sku": "b", "price": "i"}}]}""");
        Written stored = visit(offers("a 1", "b 2", "- 3", "b 4"));
        assertThat(stored.items()).extracting(Item::key).as("b twice, and one without").doesNotHaveDuplicates();
        Written moved = visit(offers("new 9", "b 2", "b 5", "a 1"));
        assertThat(moved.items()).extracting(NextVisitsTest::told).containsExactly("new 9 new null", "b 2 null null",
                "b 5 changed [price]", "a 1 null null", "null null gone null");
        assertThat(moved.items().subList(1, 4)).extracting(Item::key).containsExactly(stored.items().get(1).key(),
                stored.items().get(3).key(), stored.items().get(0).key());
        assertThat(moved.items().get(2).fields()).containsEntry("previous", stored.items().get(3).id());
        assertThat(moved.items().get(3).fields()).as("as it was, and stored with the others").containsEntry("visit", 2);
        assertThat(moved.items().getLast().key()).as("it had no sku, so its place was the third")
                .isEqualTo(stored.items().get(2).key());
        Item gone = visit(offers("new 9", "b 2", "b 5")).items().getLast();
        assertThat(gone.key()).isEqualTo(stored.items().getFirst().key());
        assertThat(gone.fields()).containsEntry("type", "offer").containsEntry("change", "gone")
                .doesNotContainKey("ordinal");
    }

    private static String told(Item item) {
        Map<String, Object> fields = item.fields();
        return fields.get("sku") + " " + fields.get("price") + " " + fields.get("change") + " "
                + fields.get("changedFields");
    }

    /** @param offers each with its number and price; {@code -} is no number */
    private static String offers(String... offers) {
        return Stream.of(offers).map(offer -> offer.split(" ", -1))
                .map(offer -> "<li><b>" + offer[0].replace("-", "") + "</b><i>" + offer[1] + "</i>")
                .collect(Collectors.joining("", "<ul>", "</ul>"));
    }

    @Test
    void ofAPageWithMoreItemsThanAnEntryHoldsNoneIsToldGone() {
        refreshing("{}", ROWS);
        visit(rows("a", "b", "c"));
        next = next.withVisit(next.visit().map(visit -> visit.withItems(visit.items()
                .map(items -> new KnownItems(items.epoch(), items.fields(), items.text(), Optional.of(Map.of()))))));
        next = Codec.request(Codec.encode(next));
        Written fewer = visit(rows("a", "B"));
        assertThat(changes(fewer)).as("nor is it known which one has changed").containsExactly("changed", "changed");
        assertThat(fewer.items()).noneMatch(item -> item.fields().containsKey("previous"));
        assertThat(changes(visit(rows("A")))).containsExactly("changed", "gone");
    }

    @Test
    void theEntryOfAPageIsSmall() {
        String text = IntStream.range(0, 4000).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
        visit("<html lang=en><title>A</title><meta name=description content=b><meta name=author content=c><p>" + text,
                "etag", "\"65f1c2aa-6b3d\"", "last-modified", DATE);
        assertThat(entry()).as("of a page").isLessThanOrEqualTo(280);
        refreshing("{}", ROWS);
        visit(rows(IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new)), "etag",
                "\"65f1c2aa-6b3d\"", "last-modified", DATE);
        assertThat(entry()).as("of a page with a hundred items").isLessThanOrEqualTo(900);
    }

    /** What the next visit knows, in bytes. */
    private int entry() {
        return Codec.encode(next).length - Codec.encode(next.withVisit(Optional.empty())).length;
    }

    private static Item only(Written written) {
        assertThat(written.items()).hasSize(1);
        return written.items().getFirst();
    }

    private static String rows(String... names) {
        return Stream.of(names).map(name -> "<li><b>" + name + "</b>").collect(Collectors.joining("", "<ul>", "</ul>"));
    }

    @Test
    void eachItemThatTellsAChangeHasOneEventInItsTransactionIfTheCrawlWantsThat() {
        visit(TEXT);
        assertThat(visit("<p>Other</p>").changes()).as("it does not").isEmpty();
        String before = known().rules().orElseThrow();
        refreshing("{\"events\":true}");
        assertThat(visit("<p>Other</p>").changes()).as("it has not changed").isEmpty();
        assertThat(known().rules()).as("events do not change how a page is read").contains(before);
        visit(MISSING);
        Written gone = visit(MISSING);
        assertThat(gone.changes()).singleElement().satisfies(event -> {
            Item item = gone.items().getFirst();
            assertThat(event.id()).isEqualTo(item.id());
            assertThat(event.key()).isEqualTo(item.key());
            assertThat(event.url()).isEqualTo(A);
            assertThat(event.crawl() + "/" + event.epoch()).isEqualTo(item.run());
            assertThat(event.at()).hasToString((String) item.fields().get("fetchedAt"));
            assertThat(event.told()).isEqualTo(Map.of("change", "gone", "visit", item.fields().get("visit")));
        });
        assertThat(gone.outgoing().records()).filteredOn(record -> record.topic().equals("t.changes")).singleElement()
                .satisfies(record -> {
                    assertThat(record.partition()).isZero();
                    assertThat(new String(record.key(), UTF_8)).isEqualTo(gone.items().getFirst().key());
                    assertThat(new String(record.value(), UTF_8)).startsWith("{\"schema\":1,")
                            .contains("\"type\":\"page.changed\"", "\"change\":\"gone\"");
                });
        assertThat(visit(MISSING).changes()).as("that is told").isEmpty();
    }

    @Test
    void anErrorThatLastsIsStoredOnce() {
        assertThat(visit(MISSING).items()).hasSize(1);
        assertThat(visit(MISSING).items()).isEmpty();
        assertThat(visit(new Outcome.HttpError(500)).items()).as("another one").hasSize(1);
        assertThat(visit(new Outcome.Failure(FailureReason.TIMEOUT, "slow")).items()).hasSize(1);
        assertThat(visit(new Outcome.Failure(FailureReason.TIMEOUT, "slow again")).items()).isEmpty();
        assertThat(changes(visit(TEXT))).containsExactly("new");
    }

    @Test
    void anErrorOfAPageThatHasItemsIsStoredByEachVisitThatMeetsItUntilThePageIsToldGone() {
        visit(TEXT);
        for (Outcome outcome : List.of(new Outcome.HttpError(500), new Outcome.HttpError(500), MISSING, MISSING)) {
            assertThat(visit(outcome).items()).as(outcome.toString()).hasSize(1);
        }
        assertThat(visit(MISSING).items()).isEmpty();
    }

    @Test
    void everyAnswerKeepsTheChain() {
        visit(TEXT, "etag", "\"a\"");
        for (Outcome outcome : List.of(new Outcome.Failure(FailureReason.DNS, ""),
                new Outcome.Refused(RefusalReason.ROBOTS, ""), new Outcome.Redirect(302, "/b"), MISSING,
                new Outcome.HttpError(500), new Outcome.Redirect(307, "/b"))) {
            visit(outcome);
            assertThat(known().etag()).as("it may not hold after %s", outcome).isEmpty();
            assertThat(known().digest()).isPresent();
        }
        assertThat(visit(TEXT).items()).as("it is as it was").isEmpty();
    }

    @Test
    void onlyTheFirstAnswerOfAPageLeadsToItsNextVisit() {
        bench.commit(page(5, Fixtures.request(A, 2), TEXT));
        assertThat(bench.commit(page(6, Fixtures.request(A, 2), TEXT)).visits()).as("a repeat").isEmpty();
        assertThat(bench.commit(outcome(7, Fixtures.request(A, 3), new Outcome.Duplicate())).visits()).isEmpty();
        assertThat(bench.handle(page(5, Fixtures.request(A, 2), TEXT)).visits()).as("a retry").hasSize(1);
        Request again = Fixtures.request(Bench.B, 1, FetchOptions.NONE.withAgain(true));
        assertThat(bench.commit(page(8, again, TEXT)).visits()).as("its URL has one").isEmpty();
        Request robots = Fixtures.request(Bench.B, 0, FetchOptions.ofRequisite().withVersion(Optional.of("1")));
        assertThat(bench.commit(page(9, robots, TEXT)).visits()).as("the next run asks for the versions that it sees")
                .isEmpty();
    }

    @Test
    void anAnswerAtASmallerDepthSaysAtWhich() {
        try (Bench first = Bench.with(new MapLedger())) {
            first.control.read(Fixtures.started(Fixtures.RUN, "{\"limits\":{\"depth\":3},\"refresh\":{}}").with(
                    made -> made.version(2).visits(Optional.of(new RunVisits(0, Optional.empty(), Optional.empty())))));
            assertThat(changes(first.commit(page(5, Fixtures.request(A, 2), TEXT)))).as("all are new")
                    .containsOnlyNulls();
            Request nearer = first.commit(page(6, Fixtures.request(A, 1), TEXT)).visits().getFirst();
            assertThat(nearer.visit()).as("it has no entry").isEmpty();
            assertThat(nearer.depth()).isEqualTo(1);
            assertThat(first.commit(page(7, Fixtures.request(A, 1), TEXT)).visits()).isEmpty();
        }
    }

    @Test
    void aShorterWayToAKnownPageIsNotedForTheNextRefresh() {
        assertThat(bench.commit(page(5, Fixtures.request(A, 2), linking("/b"))).urls()).containsExactly(Bench.B);
        Written shorter = bench.commit(page(6, Fixtures.request(Bench.C, 0), linking("/b", "/d")));
        assertThat(shorter.urls()).as("a request would fetch it without its entry")
                .containsExactly("http://example.org/d");
        assertThat(shorter.visits().stream().filter(visit -> visit.visit().isEmpty())).singleElement()
                .satisfies(nearer -> {
                    assertThat(nearer.url()).isEqualTo(Bench.B);
                    assertThat(nearer.depth()).isEqualTo(1);
                });
        assertThat(bench.commit(page(7, Fixtures.request("http://example.org/e", 0), linking("/b"))).visits())
                .as("once").hasSize(1);
    }

    @Test
    void aPageThatCannotBeReadIsVisitedAgain() {
        visit(page(5, next, "", "content-type", "test/bomb", "etag", "\"a\""));
        assertThat(known().etag()).as("its next version may be readable, or the next parser").isEmpty();
        assertThat(bench.responseBatchHandler.giveUp(page(9, Fixtures.request(A, 1), TEXT), new RuntimeException("x"))
                .records()).anyMatch(record -> record.topic().equals("t.visits"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no quotes", "\"a\" ", "\"with \"quotes\"", "w/\"a\"", "\"a\u0001\""})
    void whatIsNoEntityTagIsNotSentBack(String tag) {
        visit(TEXT, "etag", tag, "last-modified", "yesterday");
        assertThat(known().conditional()).isFalse();
    }

    @Test
    void anAnswerThatVariesOrLacksItsEndHasNoValidators() {
        visit(TEXT, "etag", "\"a\"", "vary", "Accept, *");
        assertThat(known().conditional()).isFalse();
        visit(TEXT, "etag", "\"" + "a".repeat(Visit.LONGEST_ETAG) + "\"");
        assertThat(known().conditional()).isFalse();
        visit(TEXT, "etag", "\"a\"", "vary", "Accept");
        assertThat(known().conditional()).isTrue();
    }

    @Test
    void aServerThatAlwaysSaysUnchangedIsAskedPlainlyNowAndThen() {
        visit(TEXT, "etag", "\"a\"");
        int plain = 0;
        for (int i = 0; i < 40; i++) {
            boolean asked = known().plain();
            plain += asked ? 1 : 0;
            if (asked) {
                visit(TEXT, "etag", "\"a\"");
            } else {
                visit(new Outcome.Unchanged());
            }
        }
        assertThat(plain).isBetween(3, 5);
    }

    @Test
    void aServerWhoseTagStaysWhenThePageChangesLosesIt() {
        visit(TEXT, "etag", "\"a\"");
        next = next.withVisit(next.visit().map(visit -> visit.withPlain(true)));
        assertThat(changes(visit("<p>Another text</p>", "etag", "\"a\""))).containsExactly("changed");
        assertThat(known().conditional()).isFalse();
    }

    @Test
    void aServerDoesNotLieIfOtherRulesMakeAnotherContentOfTheSamePage() {
        visit(TEXT, "etag", "\"a\"");
        refreshing("{\"compare\":[\"title\"]}");
        next = next.withVisit(next.visit().map(visit -> visit.withPlain(true)));
        visit(TEXT, "etag", "\"a\"");
        assertThat(known().lied()).isFalse();
        assertThat(known().conditional()).isTrue();
    }

    @Test
    void theTagOfTheDocumentSaysNothingOfAPageThatAFetcherMakesOfIt() {
        next = Fixtures.request(A, 1, FetchOptions.NONE.withFetcher(Optional.of("browser")));
        visit(TEXT, "etag", "\"a\"");
        assertThat(known().conditional()).isFalse();
        next = next.withVisit(next.visit().map(visit -> visit.withPlain(true)));
        assertThat(changes(visit("<p>Another text</p>", "etag", "\"a\""))).containsExactly("changed");
        assertThat(known().lied()).isFalse();
    }

    @Test
    void theEntryNamesTheRecordThatHasTheBodyIfTheArchiveWritesIt() {
        visit(TEXT, "etag", "\"a\"");
        assertThat(known().archived()).as("the run has no archive").isEmpty();
        refreshing("{}", "{}", Optional.of(0L));
        ConsumerRecord<byte[], byte[]> whole = page(5, next, TEXT, "etag", "\"a\"");
        visit(whole);
        Optional<ArchivedBody> first = known().archived();
        assertThat(first).contains(ArchivedBody.of(ResponseHeaders.response(whole)));
        visit(new Outcome.Unchanged());
        assertThat(known().archived()).isEqualTo(first);
        visit(MISSING);
        assertThat(known().archived()).as("it may come again").isEqualTo(first);
        refreshing("{}", "{}", Optional.empty());
        visit(TEXT);
        assertThat(known().archived()).as("the first record has it").isEqualTo(first);
        visit("<p>Another text</p>");
        assertThat(known().archived()).as("no record has it").isEmpty();
        refreshing("{}", "{}", Optional.of(0L));
        visit("<p>Another text</p>");
        assertThat(known().archived()).isPresent().isNotEqualTo(first);
        visit(Bench.record(0, 5, Fixtures.response(next, new Outcome.Success(200, true),
                Map.of("content-type", "text/html"), "<p>Another".getBytes(UTF_8))));
        assertThat(known().archived()).as("it lacks its end").isEmpty();
    }

    @Test
    void theFieldsThatCountAreChosen() {
        refreshing("{\"compare\":[\"title\"]}");
        visit(TEXT);
        assertThat(visit("<title>A</title><p>Another text</p>").items()).isEmpty();
        assertThat(changes(visit("<title>B</title><p>Another text</p>"))).containsExactly("changed");
    }

    @Test
    void aRunThatNobodyRefreshesKeepsNothing() {
        try (Bench plain = Bench.fresh()) {
            Written written = plain.commit(page(5, Fixtures.request(A, 1), TEXT));
            assertThat(written.visits()).isEmpty();
            assertThat(changes(written)).containsOnlyNulls();
        }
    }
}
