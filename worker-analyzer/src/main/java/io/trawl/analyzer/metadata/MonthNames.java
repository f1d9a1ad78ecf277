package io.trawl.analyzer.metadata;

import java.time.Month;
import java.time.format.TextStyle;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names of months in the languages in which pages write dates in words, by the tables of the JDK. A table is made
 * when it is first asked for, since making all of them takes as long as a hundred pages. Thread-safe.
 */
final class MonthNames {
    private static final List<String> LANGUAGES = List.of("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb",
            "fi", "pl", "cs", "sk", "hu", "ro", "ru", "uk", "el", "tr");
    private static final List<TextStyle> STYLES = List.of(TextStyle.FULL, TextStyle.FULL_STANDALONE, TextStyle.SHORT,
            TextStyle.SHORT_STANDALONE);
    private static final int SHORTEST = 3;
    private final Map<String, Map<String, Integer>> byLanguage = new ConcurrentHashMap<>();

    /**
     * The number of a month, from 1.
     *
     * @param word in any case
     * @param language of the page, empty if it is unknown; a page in any language may write English dates, and where
     * the language is unknown a word counts that names the same month in all that know it
     */
    OptionalInt number(String word, String language) {
        String name = word.toLowerCase(Locale.ROOT);
        String code = language.equals("no") || language.equals("nn") ? "nb" : language;
        List<String> asked = LANGUAGES.contains(code) ? Stream.of(code, "en").distinct().toList() : LANGUAGES;
        if (LANGUAGES.contains(code)) {
            return asked.stream().flatMap(one -> Stream.ofNullable(table(one).get(name))).mapToInt(Integer::intValue)
                    .findFirst();
        }
        int[] months = asked.stream().flatMap(one -> Stream.ofNullable(table(one).get(name)))
                .mapToInt(Integer::intValue).distinct().toArray();
        return months.length == 1 ? OptionalInt.of(months[0]) : OptionalInt.empty();
    }

    private Map<String, Integer> table(String language) {
        return byLanguage.computeIfAbsent(language, MonthNames::made);
    }

    private static Map<String, Integer> made(String language) {
        Locale locale = Locale.forLanguageTag(language);
        Map<String, Integer> names = new HashMap<>();
        IntStream.rangeClosed(1, 12).forEach(number -> STYLES.forEach(style -> {
            String name = Month.of(number).getDisplayName(style, locale).toLowerCase(Locale.ROOT).replace(".", "");
            if (name.length() >= SHORTEST && Character.isLetter(name.charAt(0))) {
                names.putIfAbsent(name, number);
            }
        }));
        if (language.equals("en")) {
            names.put("sept", 9);
        }
        return Map.copyOf(names);
    }
}
