package io.trawl.value;

import io.trawl.model.InvalidValueException;
import java.math.BigDecimal;
import java.text.DecimalFormatSymbols;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads numbers and amounts of money as they are written in a locale. Immutable and thread-safe. */
public final class NumberText {
    private static final int LONGEST = 100;
    /** Signs that stand for one currency, whatever the locale. */
    private static final Map<String, String> SIGNS = Map.ofEntries(Map.entry("€", "EUR"), Map.entry("£", "GBP"),
            Map.entry("$", "USD"), Map.entry("¥", "JPY"), Map.entry("₹", "INR"), Map.entry("₽", "RUB"),
            Map.entry("₩", "KRW"), Map.entry("₺", "TRY"), Map.entry("₴", "UAH"), Map.entry("₫", "VND"),
            Map.entry("₪", "ILS"), Map.entry("zł", "PLN"), Map.entry("Kč", "CZK"), Map.entry("R$", "BRL"),
            Map.entry("US$", "USD"));
    private static final Pattern CURRENCY = Pattern.compile("[\\p{Sc}\\p{L}.]*[\\p{Sc}\\p{L}][\\p{Sc}\\p{L}.]*");
    private static final Pattern SIGN = Pattern.compile("^[\\p{Sc}\\p{Z}\\s]++|[\\p{Sc}\\p{Z}\\s]++$");
    private static final Pattern DECIMAL = Pattern
            .compile("-?([0-9]{1,50}(\\.[0-9]{1,50})?|\\.[0-9]{1,50})([eE][-+]?[0-9]{1,2})?");
    private final Locale locale;
    private final char point;
    private final Pattern grouped;

    /** Numbers of a locale. */
    public NumberText(Locale locale) {
        this.locale = locale;
        DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(locale);
        this.point = symbols.getDecimalSeparator();
        String group = Character.isSpaceChar(symbols.getGroupingSeparator()) || symbols.getGroupingSeparator() == '’'
                ? "[ '’]"
                : Pattern.quote(String.valueOf(symbols.getGroupingSeparator())) + "|[ '’]";
        // Groups of two digits are those of 12,34,567 in India: 1,50 is no whole number.
        this.grouped = Pattern
                .compile("(?<=[0-9])(?:" + group + ")(?=[0-9]{3}(?![0-9])|[0-9]{2}(?:" + group + ")[0-9])");
    }

    /**
     * A number. @param plain whether it is written as in JSON, in no locale. @throws InvalidValueException if the text
     * is none
     */
    public Number number(String text, boolean plain) {
        return shortest(decimal(text, text, plain));
    }

    /** A number with or without the sign of a currency around it. @throws InvalidValueException if the text is none */
    public Number amount(String text) {
        return shortest(decimal(SIGN.matcher(text.length() > LONGEST ? "" : text).replaceAll(""), text, false));
    }

    /**
     * The amount, and the currency if the text or the locale names one. @throws InvalidValueException if there is no
     * amount
     */
    public Map<String, Object> money(String text, boolean plain) {
        String written = text.strip();
        Optional<String> currency = Optional.empty();
        String amount = written;
        Matcher sign = CURRENCY.matcher(written.length() > LONGEST ? "" : written);
        if (sign.find()) {
            amount = (written.substring(0, sign.start()) + written.substring(sign.end())).strip();
            currency = Optional.of(currency(sign.group(), text));
        }
        // A price without cents.
        amount = amount.replaceFirst("[.,][-–—]+$", "").strip();
        Map<String, Object> money = new LinkedHashMap<>();
        money.put("amount", shortest(decimal(amount, text, plain)));
        currency.or(this::own).ifPresent(code -> money.put("currency", code));
        return money;
    }

    private String currency(String sign, String text) {
        Optional<String> own = own().filter(code -> Currency.getInstance(code).getSymbol(locale).equals(sign));
        return own.or(() -> Optional.ofNullable(SIGNS.get(sign))).or(
                () -> Currency.availableCurrencies().map(Currency::getCurrencyCode).filter(sign::equals).findFirst())
                .or(() -> own().filter(_ -> sign.equals("kr") || sign.equals("kr.") || sign.equals("Fr.")))
                .orElseThrow(() -> new InvalidValueException("", text,
                        rule("an amount of money with a currency such as EUR or €")));
    }

    /** The currency of the country of the locale. */
    private Optional<String> own() {
        try {
            return locale.getCountry().isEmpty()
                    ? Optional.empty()
                    : Optional.ofNullable(Currency.getInstance(locale)).map(Currency::getCurrencyCode);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private BigDecimal decimal(String text, String shown, boolean plain) {
        String written = text.strip().replace('\u00A0', ' ').replace('\u202F', ' ').replace('\u2009', ' ')
                .replace('−', '-').replaceFirst("^\\+", "");
        if (text.length() > LONGEST) {
            throw new InvalidValueException("", shown, rule("a number"));
        }
        String digits = plain ? written : grouped.matcher(written).replaceAll("");
        String form = plain || point == '.' ? digits : digits.replace('.', '?').replace(point, '.');
        if (!DECIMAL.matcher(form).matches()) {
            throw new InvalidValueException("", shown, rule("a number"));
        }
        return new BigDecimal(form);
    }

    private String rule(String what) {
        return what + " as written in the locale " + locale.toLanguageTag();
    }

    private static Number shortest(BigDecimal number) {
        BigDecimal exact = number.stripTrailingZeros();
        return exact.scale() <= 0 && exact.precision() - exact.scale() <= 18
                ? (Number) exact.longValueExact()
                : new BigDecimal(exact.toPlainString());
    }
}
