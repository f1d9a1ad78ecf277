package io.trawl.analyzer.metadata;

import io.trawl.value.HttpDate;
import io.trawl.value.TimestampFormat;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the dates of pages: ISO 8601, those of headers, figures, and words in 20 languages. A date is written as
 * {@code 2026-01-02}, and with its time as {@code 2026-01-02T03:04:05.000Z} if its zone is known. One before 1990, or
 * more than a day after the page was fetched, is none: it is that of something else, or a mistake. Thread-safe.
 */
public final class WrittenDates {
    private static final int LONGEST = 200;
    private static final int FIRST_YEAR = 1990;
    private static final int MONTHS = 12;
    private static final int DAYS = 31;
    private static final Pattern ISO = Pattern.compile(
            "([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?:(?:T|[ ]{1,3})([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:[.,][0-9]{1,9})?\\s?(Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})?)?(?![0-9]).*",
            Pattern.DOTALL);
    /** The words between a day, a month and a year: <i>4 de marzo de 2025</i>, <i>4th of March</i>. */
    private static final int MOST_BETWEEN = 2;
    private final MonthNames months = new MonthNames();

    /** A number or a word. @param before the character before it, a blank at the beginning */
    private record Token(String text, int number, char before) {
        static final int NONE = -1;

        boolean within(int first, int last) {
            return number >= first && number <= last;
        }

        boolean isDay() { return within(1, DAYS) && text.length() <= 2; }

        boolean isYear() { return text.length() == 4 && number >= FIRST_YEAR; }
    }

    /**
     * The first date in a text.
     *
     * @param language the tag of the language of the page, or an empty text
     * @param now when the page was fetched
     */
    Optional<String> read(String text, String language, Instant now) {
        String written = text.strip();
        if (written.length() > LONGEST || written.isEmpty()) {
            return Optional.empty();
        }
        Matcher iso = ISO.matcher(written);
        if (iso.matches()) {
            Optional<Instant> time = iso.group(5) == null ? Optional.empty() : time(iso);
            return time.isPresent()
                    ? time.filter(at -> trusted(at.atZone(ZoneOffset.UTC).toLocalDate(), now))
                            .map(TimestampFormat::format)
                    : date(number(iso.group(1)), number(iso.group(2)), number(iso.group(3)), now);
        }
        if (written.endsWith("GMT") || written.endsWith("+0000")) {
            Optional<Instant> header = HttpDate.parse(written, now)
                    .filter(at -> trusted(at.atZone(ZoneOffset.UTC).toLocalDate(), now));
            if (header.isPresent()) {
                return header.map(TimestampFormat::format);
            }
        }
        return words(tokens(written), language, now);
    }

    private static Optional<Instant> time(Matcher iso) {
        String zone = iso.group(5).replace("UTC", "Z").replace("GMT", "Z");
        String time = iso.group(4).indexOf(':') == 1 ? "0" + iso.group(4) : iso.group(4);
        String offset = zone.length() == "+0000".length() ? zone.substring(0, 3) + ":" + zone.substring(3) : zone;
        try {
            return Optional.of(OffsetDateTime
                    .parse(iso.group(1) + "-" + iso.group(2) + "-" + iso.group(3) + "T" + time + offset).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static Optional<String> date(int year, int month, int day, Instant now) {
        try {
            return Optional.of(LocalDate.of(year, month, day)).filter(date -> trusted(date, now))
                    .map(LocalDate::toString);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static boolean trusted(LocalDate date, Instant now) {
        return date.getYear() >= FIRST_YEAR && !date.isAfter(now.atZone(ZoneOffset.UTC).toLocalDate().plusDays(1));
    }

    private static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            int begin = i;
            boolean digits = c >= '0' && c <= '9';
            while (i < text.length()
                    && (digits ? text.charAt(i) >= '0' && text.charAt(i) <= '9' : Character.isLetter(text.charAt(i)))) {
                i++;
            }
            if (i == begin) {
                i++;
            } else {
                String word = text.substring(begin, i);
                tokens.add(new Token(word, digits && word.length() <= 4 ? Integer.parseInt(word) : Token.NONE,
                        begin == 0 ? ' ' : text.charAt(begin - 1)));
            }
        }
        return tokens;
    }

    private Optional<String> words(List<Token> tokens, String language, Instant now) {
        String code = language.split("[-_]", 2)[0].toLowerCase(java.util.Locale.ROOT);
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            Optional<String> found = token.number() == Token.NONE
                    ? named(tokens, i, code, now)
                    : figures(tokens, i, language, now);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The date around the name of a month: day, month, year; month, day, year; or year, month, day. */
    private Optional<String> named(List<Token> tokens, int at, String language, Instant now) {
        int before = numberNear(tokens, at, -1);
        int after = numberNear(tokens, at, 1);
        if (after < 0 || tokens.get(at).text().length() < 3) {
            return Optional.empty();
        }
        OptionalInt month = months.number(tokens.get(at).text(), language);
        if (month.isEmpty()) {
            return Optional.empty();
        }
        Token next = tokens.get(after);
        if (before >= 0 && tokens.get(before).isDay() && next.isYear()) {
            return date(next.number(), month.getAsInt(), tokens.get(before).number(), now);
        }
        if (before >= 0 && tokens.get(before).isYear() && next.isDay()) {
            return date(tokens.get(before).number(), month.getAsInt(), next.number(), now);
        }
        int third = numberNear(tokens, after, 1);
        return next.isDay() && third >= 0 && tokens.get(third).isYear()
                ? date(tokens.get(third).number(), month.getAsInt(), next.number(), now)
                : Optional.empty();
    }

    /** The place of the next number, if only few words lie between; -1 for none. */
    private static int numberNear(List<Token> tokens, int from, int step) {
        for (int i = 1; i <= MOST_BETWEEN + 1; i++) {
            int at = from + i * step;
            if (at < 0 || at >= tokens.size()) {
                return -1;
            }
            if (tokens.get(at).number() != Token.NONE) {
                return at;
            }
        }
        return -1;
    }

    /** Three numbers: a year, month and day, also as <i>2025年3月4日</i>; or a day, month and year. */
    private static Optional<String> figures(List<Token> tokens, int at, String language, Instant now) {
        int second = numberNear(tokens, at, 1);
        int third = second < 0 ? -1 : numberNear(tokens, second, 1);
        if (third < 0) {
            return Optional.empty();
        }
        Token a = tokens.get(at);
        Token b = tokens.get(second);
        Token c = tokens.get(third);
        boolean adjoining = second == at + 1 && third == at + 2;
        if (a.isYear() && b.within(1, MONTHS) && c.isDay() && (adjoining || "年년".contains(tokens.get(at + 1).text()))) {
            return date(a.number(), b.number(), c.number(), now);
        }
        if (!adjoining || !a.isDay() || !b.isDay() || !c.isYear() || "./-".indexOf(c.before()) < 0
                || "./-".indexOf(b.before()) < 0) {
            return Optional.empty();
        }
        if (a.number() > MONTHS || b.before() == '.' || a.number() == b.number()) {
            return date(c.number(), b.number(), a.number(), now);
        }
        if (b.number() > MONTHS || language.equalsIgnoreCase("en-US")) {
            return date(c.number(), a.number(), b.number(), now);
        }
        // In English 03/04/2025 may be either.
        return language.isEmpty() || language.startsWith("en")
                ? Optional.empty()
                : date(c.number(), b.number(), a.number(), now);
    }
}
