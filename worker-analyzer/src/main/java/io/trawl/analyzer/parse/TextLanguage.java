package io.trawl.analyzer.parse;

import com.carrotsearch.labs.langid.DetectedLanguage;
import com.carrotsearch.labs.langid.LangIdV3;
import com.carrotsearch.labs.langid.Model;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells the language of a text by langid (Lui and Baldwin, <i>langid.py: An Off-the-shelf Language Identification
 * Tool</i>, ACL 2012), which gives a text of any length to one language with near certainty, also one in two languages.
 * So some pieces, spread over the text, are asked one by one: a language is told if they agree. Only letters are read:
 * the figures and signs of a price list would count for the language in whose sample they are frequent.
 *
 * <p>
 * The model is read when the first text is asked about, which takes as long as a hundred pages. Thread-safe.
 */
public final class TextLanguage {
    /** Letters; a sign of Chinese, or one of a script that has more than Latin has letters, counts for several. */
    private static final int FEWEST_LETTERS = 25;
    private static final int LETTERS_OF_A_SIGN = 2;
    private static final int FIRST_SIGN = 0x0900;
    private static final int PIECE = 250;
    private static final int MOST_PIECES = 8;
    /** Shorter pieces are often mistaken. */
    private static final int SHORTEST_PIECE = 100;
    private static final double LEAST_CONFIDENCE = 0.7;
    /** Forms of one written language, between which pieces of a text would be divided. */
    private static final Map<String, String> SAME = Map.of("nb", "no");
    private final ThreadLocal<LangIdV3> classifiers = ThreadLocal.withInitial(LangIdV3::new);

    /**
     * A language.
     *
     * @param code of ISO 639-1, which is its tag of BCP 47
     * @param confidence from 0.7 to 1: the part of the pieces that are in it, each as sure as it is
     */
    public record LanguageGuess(String code, double confidence) {}

    /** The language of a text; empty if it is short, has few letters, or its parts are in several languages. */
    public Optional<LanguageGuess> of(String text) {
        LangIdV3 classifier = classifiers.get();
        Map<String, Double> votes = new HashMap<>();
        StringBuilder letters = new StringBuilder(PIECE);
        int pieces = Math.clamp(text.length() / SHORTEST_PIECE, 1, MOST_PIECES);
        int counted = 0;
        int weight = 0;
        for (int i = 0; i < pieces; i++) {
            letters.setLength(0);
            int begin = (int) ((long) text.length() * i / pieces);
            weight += letters(text, begin, Math.min(begin + PIECE, (int) ((long) text.length() * (i + 1) / pieces)),
                    letters);
            if (!letters.isEmpty()) {
                DetectedLanguage language = classifier.classify(letters, true);
                votes.merge(SAME.getOrDefault(language.getLangCode(), language.getLangCode()), language.getConfidence(),
                        Double::sum);
                counted++;
            }
        }
        int all = counted;
        return weight < FEWEST_LETTERS
                ? Optional.empty()
                : votes.entrySet().stream().max(Map.Entry.comparingByValue())
                        .map(best -> new LanguageGuess(best.getKey(), Math.round(best.getValue() / all * 100) / 100.0))
                        .filter(told -> told.confidence() >= LEAST_CONFIDENCE);
    }

    /** The codes of all languages that it tells. Reads the model. */
    public static Set<String> codes() {
        Set<String> codes = new TreeSet<>(Model.defaultModel().getDetectedLanguages());
        codes.removeAll(SAME.keySet());
        return codes;
    }

    /** Appends words of a piece, which ends within none. @return how many letters they are worth */
    private static int letters(String text, int from, int to, StringBuilder into) {
        int weight = 0;
        boolean gap = false;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int kind = Character.getType(c);
            if (Character.isLetter(c) || kind == Character.NON_SPACING_MARK || kind == Character.COMBINING_SPACING_MARK
                    || Character.isSurrogate(c) || c == '\'' || c == '’') {
                if (gap && !into.isEmpty()) {
                    into.append(' ');
                }
                gap = false;
                into.append(c);
                weight += c >= FIRST_SIGN ? LETTERS_OF_A_SIGN : Character.isLetter(c) ? 1 : 0;
            } else {
                gap = true;
            }
        }
        return weight;
    }
}
