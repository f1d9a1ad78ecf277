package io.trawl.downloader.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.ledger.ResponseLayout;
import io.trawl.ledger.ResponseLayout.Closing;
import io.trawl.ledger.ResponseLayout.Left;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer.LedgerFact;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LogPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswerSettlementTest {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private static final CrawlRun OVER = new CrawlRun(new CrawlId("docs"), 2);
    private static final LogPartition LOG = new LogPartition("requests", "id", 0);
    private final List<String> done = new ArrayList<>();
    private final List<UrlFacts> learnt = new ArrayList<>();
    private boolean marksAway;

    /** Records its calls and knows no facts. */
    private final class Notes implements Ledger, AnsweredMarks {
        @Override
        public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
            return urls.stream().map(url -> UrlFacts.NOTHING).toList();
        }

        @Override
        public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
            done.add("learn " + run + " " + facts.size());
            facts.forEach(fact -> learnt.add(fact.facts()));
            return facts.stream().map(fact -> UrlFacts.NOTHING).toList();
        }

        @Override
        public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void forget(CrawlRun run) {
            done.add("forget " + run);
        }

        @Override
        public void mark(LogPartition partition, Collection<Long> offsets) {
            if (marksAway) {
                throw new LedgerUnavailableException("away", new IllegalStateException());
            }
            done.add("mark " + offsets);
        }

        @Override
        public BitSet answered(LogPartition partition, long from, int count) {
            return new BitSet();
        }

        @Override
        public void dropBelow(LogPartition partition, long offset) {
            done.add("drop below " + offset);
        }
    }

    private final Notes notes = new Notes();
    private ResponseLayout layout = ResponseLayout.FIRST;
    private int reads;
    private final AnswerSettlement answerSettlement = new AnswerSettlement(notes, notes, run -> !run.equals(OVER),
            () -> {
                reads++;
                return layout;
            }, tickets -> done.add("notify " + tickets));

    private static AcknowledgedAnswer answer(long ticket, CrawlRun run, long offset) {
        return new AcknowledgedAnswer(ticket, LOG, offset,
                Optional.of(new LedgerFact(run, "http://a/" + offset, 0, 0, 100 + offset)));
    }

    @Test
    void learnsThenMarksThenNotifies() {
        answerSettlement.accept(List.of(answer(1, RUN, 5), answer(2, RUN, 6)));
        assertThat(done).containsExactly("learn docs/1 2", "mark [5, 6]", "notify [1, 2]");
    }

    /** It may be behind the end of its layout, and is copied then. */
    @Test
    void aResponseIsLearntOnlyIfItsLayoutDoesNotEndWhenAllAreAcknowledged() {
        layout = new ResponseLayout(0, 0, List.of(), Optional.of(new Closing(3, Instant.EPOCH)), Optional.empty());
        answerSettlement.accept(List.of(answer(1, RUN, 5)));
        layout = new ResponseLayout(1, 1000, List.of(1), Optional.empty(),
                Optional.of(new Left(0, List.of(105L), Instant.EPOCH)));
        answerSettlement.accept(List.of(answer(2, RUN, 6),
                new AcknowledgedAnswer(3, LOG, 7, Optional.of(new LedgerFact(RUN, "http://a/7", 2, 1, 110)))));
        assertThat(done).containsExactly("mark [5]", "notify [1]", "learn docs/1 1", "mark [6, 7]", "notify [2, 3]");
        assertThat(learnt).containsExactly(UrlFacts.responded(2, 1110));
        assertThat(reads).as("one look at control for each batch").isEqualTo(2);
    }

    @Test
    void aDuplicateStatesNoFact() {
        answerSettlement.accept(List.of(new AcknowledgedAnswer(1, LOG, 5, Optional.empty())));
        assertThat(done).containsExactly("mark [5]", "notify [1]");
    }

    @Test
    void nothingIsLearntForARunThatIsOver() {
        answerSettlement.accept(List.of(answer(1, OVER, 5)));
        assertThat(done).containsExactly("mark [5]", "notify [1]");
    }

    @Test
    void theFrontierIsNotNotifiedBeforeTheMarkIsSet() {
        marksAway = true;
        assertThatThrownBy(() -> answerSettlement.accept(List.of(answer(1, RUN, 5))))
                .isInstanceOf(LedgerUnavailableException.class);
        marksAway = false;
        answerSettlement.accept(List.of(answer(1, RUN, 5)));
        assertThat(done).containsExactly("learn docs/1 1", "learn docs/1 1", "mark [5]", "notify [1]");
    }
}
