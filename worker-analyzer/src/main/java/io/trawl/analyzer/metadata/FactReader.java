package io.trawl.analyzer.metadata;

import io.trawl.analyzer.metadata.PageFacts.Fact;
import io.trawl.analyzer.metadata.PageFacts.Trust;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads what sources write as the values of items have it: names without the words around them, dates in ISO 8601,
 * absolute URLs. What cannot be read is not said. Not thread-safe.
 */
final class FactReader {
    private static final int LONGEST = 2_000;
    private static final int LONGEST_NAME = 200;
    /** Words before a name in the languages in which pages write dates. */
    private static final Pattern BEFORE = Pattern.compile(
            "^(?:(?:written|posted|published|reviewed|story|words|article|authored|updated|edited|submitted)\\s+by|by"
                    + "|authors?|autor|autorin|auteur|autore|von|par|por|di|door|av|af|od|yazar|автор|автори|skrevet av"
                    + "|skriven av|geschrieben von|verfasst von|publié par|écrit par|escrito por|publicado por"
                    + "|scritto da|pubblicato da|geschreven door)(?:\\s*:\\s*|\\s+|$)",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    private static final Pattern END = Pattern.compile("\\s[|•·–—/]\\s|\\s-\\s|\\s[|•·]|[|•·]\\s|\\son\\s(?=[A-Z0-9])");
    private static final Pattern NO_NAME = Pattern.compile("://|www\\.|@\\w+\\.|[0-9]{4}|[{}<>=]");
    private final PageFacts facts = new PageFacts();
    private final WrittenDates dates;
    private final Instant now;
    private final Supplier<String> language;

    /**
     * @param now when the page was fetched
     * @param language the tag of the language that the page declares, or an empty text
     */
    FactReader(WrittenDates dates, Instant now, Supplier<String> language) {
        this.dates = dates;
        this.now = now;
        this.language = language;
    }

    /** Whether this source would be heard. */
    boolean wants(Fact fact, Trust trust) {
        return facts.wants(fact, trust);
    }

    /** A source says so. */
    void offer(Fact fact, Trust trust, String text) {
        if (text.isEmpty() || text.length() > LONGEST || !facts.wants(fact, trust)) {
            return;
        }
        facts.offer(fact, trust, switch (fact) {
            case AUTHOR -> name(text);
            case PUBLISHED, MODIFIED -> dates.read(text, language.get(), now);
            case SITE_NAME -> Optional.of(Bylines.collapsed(text))
                    .filter(name -> !name.isEmpty() && name.length() <= LONGEST_NAME && !name.contains("://"));
            case TYPE -> PageType.of(text).map(PageType::word);
            case IMAGE -> Optional.of(text.strip()).filter(url -> !url.isEmpty() && !url.startsWith("data:"));
        });
    }

    /** What the most trusted source says. @param absolute resolves a reference of the page */
    Optional<String> value(Fact fact, Function<String, Optional<String>> absolute) {
        return fact == Fact.IMAGE ? facts.value(fact).flatMap(absolute) : facts.value(fact);
    }

    /** Whether the words stand before the name of an author, and are nothing else. */
    static boolean precedesName(String words) {
        return !words.isBlank() && BEFORE.matcher(words.strip()).replaceFirst("").isEmpty();
    }

    /** The name of an author without the words around it; empty if it is none. */
    private static Optional<String> name(String text) {
        String rest = BEFORE.matcher(Bylines.collapsed(text)).replaceFirst("").strip();
        String name = END.split(rest, 2)[0].strip();
        String whole = name.endsWith(",") ? name.substring(0, name.length() - 1).strip() : name;
        return Optional.of(whole).filter(one -> !one.isEmpty() && one.length() <= LONGEST_NAME
                && one.codePoints().anyMatch(Character::isLetter) && !NO_NAME.matcher(one).find());
    }
}
