package io.trawl.process;

import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.value.DateText;
import io.trawl.value.Locales;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads a text as a date or as a time, and writes it in ISO 8601.
 *
 * @param field of the item
 * @param formats patterns of {@link DateTimeFormatter}, besides ISO 8601 and the dates of HTTP; the first that fits is
 * taken
 * @param locale the language of names of months and days; empty: English
 * @param zone of times that name none; empty: UTC
 */
public record DateField(String field, List<String> formats, Optional<String> locale, Optional<String> zone) {
    private static final int MOST_FORMATS = 20;

    /** @throws InvalidValueException if the field is missing */
    @SuppressWarnings("ConstantValue")
    public DateField {
        FieldRules.present("field", field);
        formats = formats == null ? List.of() : List.copyOf(formats);
    }

    /**
     * The function on texts. It throws {@link InvalidValueException} for a text that no format reads.
     *
     * @throws InvalidValueException if a format, the locale or the zone cannot be read
     */
    public Function<String, Object> reader() {
        Locale known = Locales.of("date.locale", locale);
        ZoneId here = localZone();
        if (formats.size() > MOST_FORMATS) {
            throw new InvalidValueException("date.formats", Integer.toString(formats.size()),
                    "at most " + MOST_FORMATS);
        }
        List<DateTimeFormatter> own = new ArrayList<>();
        for (int i = 0; i < formats.size(); i++) {
            own.add(DateText.format("date.formats[" + i + "]", formats.get(i), known));
        }
        return DateText.of(formats, own, known, here)::iso;
    }

    private ZoneId localZone() {
        try {
            return zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone.get());
        } catch (DateTimeException e) {
            throw new InvalidValueException("date.zone", zone.orElse(""), "a time zone such as Europe/Berlin");
        }
    }
}
