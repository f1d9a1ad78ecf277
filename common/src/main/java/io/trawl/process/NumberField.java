package io.trawl.process;

import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads a text as a number, with or without a currency sign before or behind it.
 *
 * @param field of the item
 * @param locale a language tag, by which decimal points and groups of digits are known; empty: {@code 1,234.5}
 */
public record NumberField(String field, Optional<String> locale) {
    private static final int LONGEST = 100;
    private static final Pattern AROUND = Pattern.compile("^[\\p{Sc}\\p{Z}\\s]++|[\\p{Sc}\\p{Z}\\s]++$");
    private static final Pattern BLANK = Pattern.compile("[\\p{Z}\\s]");

    /** @throws InvalidValueException if the field is missing */
    @SuppressWarnings("ConstantValue")
    public NumberField {
        FieldRules.present("field", field);
        locale = locale == null ? Optional.empty() : locale;
    }

    /**
     * The function on texts: a {@link Long} or a {@link Double}. It throws {@link NumberFormatException} for a text that is no number.
     *
     * @throws InvalidValueException if there is no such locale
     */
    public Function<String, Object> reader() {
        Locale known = Locales.of("number.locale", locale);
        return text -> number(text, known);
    }

    /** A format is not thread-safe, so each call has its own. */
    private Object number(String text, Locale known) {
        DecimalFormat format = (DecimalFormat) NumberFormat.getNumberInstance(known);
        format.setParseBigDecimal(true);
        format.setStrict(true);
        String digits = AROUND.matcher(text).replaceAll("");
        char group = format.getDecimalFormatSymbols().getGroupingSeparator();
        String read = BLANK.matcher(String.valueOf(group)).matches()
                ? BLANK.matcher(digits).replaceAll(String.valueOf(group))
                : digits;
        ParsePosition end = new ParsePosition(0);
        Object number = read.length() > LONGEST || read.isEmpty() ? null : format.parseObject(read, end);
        if (!(number instanceof BigDecimal decimal) || end.getIndex() < read.length()) {
            throw new NumberFormatException(field + " is no number" + locale.map(tag -> " of the locale " + tag).orElse(""));
        }
        return value(decimal);
    }

    private Object value(BigDecimal decimal) {
        if (decimal.signum() == 0 || decimal.scale() <= 0 && decimal.precision() - decimal.scale() <= 18) {
            return decimal.signum() == 0 && decimal.scale() > 0 ? (Object) Double.valueOf(0) : (Object) decimal.longValue();
        }
        double nearest = decimal.doubleValue();
        if (Double.isInfinite(nearest)) {
            throw new NumberFormatException(field + " is too large a number");
        }
        return nearest;
    }
}
