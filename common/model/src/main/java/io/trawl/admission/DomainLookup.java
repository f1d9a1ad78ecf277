package io.trawl.admission;

import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The domains to look up for the candidates of one batch: collect them with {@link #add}, ask once per run with
 * {@link #ask}, then take the verdicts. For one batch and one thread.
 */
public final class DomainLookup {
    private final AcceptedDomains domains;
    private final Map<CrawlRun, Question> questions = new HashMap<>();
    private final Map<CrawlRun, AcceptedDomains.DomainAnswer> domainAnswers = new HashMap<>();

    /** Questions to the given port. */
    public DomainLookup(AcceptedDomains domains) {
        this.domains = domains;
    }

    /**
     * Adds the names of a candidate; none for a refused one.
     *
     * @param atLeast the version of the accepted domains under which the page's request was admitted: an older set must
     * not answer "no"
     */
    public void add(CrawlRun run, Candidate candidate, long atLeast) {
        if (candidate instanceof Candidate.Open open) {
            questions.computeIfAbsent(run, r -> new Question()).add(open, atLeast);
        }
    }

    /** Sends one question per run that has candidates. Blocks; exceptions of the port are passed on. */
    public void ask() {
        questions.forEach((run, q) -> domainAnswers.put(run, domains.ask(run, q.names, q.atLeast)));
    }

    /** The verdict on a candidate that was added before {@link #ask}. */
    public AdmissionVerdict verdict(CrawlRun run, Candidate candidate) {
        return candidate.verdict(answer(run).accepted());
    }

    /**
     * The version of the accepted domains on which the verdicts of a run are based; its new requests carry it. 0 if
     * there was no question.
     */
    public long version(CrawlRun run) {
        return answer(run).version();
    }

    private AcceptedDomains.DomainAnswer answer(CrawlRun run) {
        return domainAnswers.getOrDefault(run, new AcceptedDomains.DomainAnswer(Set.of(), 0));
    }

    private static final class Question {
        private final Set<String> names = new HashSet<>();
        private long atLeast;

        void add(Candidate.Open open, long version) {
            names.addAll(open.names());
            atLeast = Math.max(atLeast, version);
        }
    }
}
