package io.trawl.admission;

import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The domains that the candidates of one batch ask for: collect them with {@link #add}, ask once per run with {@link #ask}, then take the verdicts. For
 * one batch and one thread.
 */
public final class DomainQuestions {
    private final AcceptedDomains domains;
    private final Map<CrawlRun, Question> questions = new HashMap<>();
    private final Map<CrawlRun, AcceptedDomains.Answer> answers = new HashMap<>();

    /** Questions to the given port. */
    public DomainQuestions(AcceptedDomains domains) {
        this.domains = domains;
    }

    /**
     * Notes what a candidate asks for; nothing for a refused one.
     *
     * @param atLeast the version of the accepted domains that the page's request was admitted under: an older set must not say "no"
     */
    public void add(CrawlRun run, Candidate candidate, long atLeast) {
        if (candidate instanceof Candidate.Open open) {
            questions.computeIfAbsent(run, r -> new Question()).add(open, atLeast);
        }
    }

    /** Asks one question per run that has any. Blocks; whatever the port throws comes through. */
    public void ask() {
        questions.forEach((run, q) -> answers.put(run, domains.ask(run, q.names, q.atLeast)));
    }

    /** The verdict on a candidate that was added before {@link #ask}. */
    public Verdict verdict(CrawlRun run, Candidate candidate) {
        return candidate.verdict(answer(run).accepted());
    }

    /** The version of the accepted domains that the verdicts of a run hold for: what its new requests carry. 0 if nothing was asked. */
    public long version(CrawlRun run) {
        return answer(run).version();
    }

    private AcceptedDomains.Answer answer(CrawlRun run) {
        return answers.getOrDefault(run, new AcceptedDomains.Answer(Set.of(), 0));
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
