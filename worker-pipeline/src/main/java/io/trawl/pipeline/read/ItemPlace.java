package io.trawl.pipeline.read;

import io.trawl.api.ItemKind;
import io.trawl.model.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the files of a run: between two lines, or the beginning of one. Written as {@code i3.120.4567}.
 *
 * @param kind of the items
 * @param partition of {@code items}
 * @param first the first offset of the file, as in its name
 * @param at the distance from the beginning of the file in bytes
 */
record ItemPlace(ItemKind kind, int partition, long first, long at) {
    private static final Pattern FORM = Pattern.compile("([ie])([0-9]{1,9})\\.([0-9]{1,18})\\.([0-9]{1,18})");
    private static final int MOST = 10_000;

    /** @throws InvalidValueException if the text is no place */
    static ItemPlace parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new InvalidValueException("place", text, "the place of an item, as in a list of items");
        }
        return new ItemPlace(m.group(1).equals("i") ? ItemKind.PAGE : ItemKind.ERROR, Integer.parseInt(m.group(2)),
                Long.parseLong(m.group(3)), Long.parseLong(m.group(4)));
    }

    /** The places of a cursor, one per partition and kind. @throws InvalidValueException if the text is no cursor */
    static List<ItemPlace> cursor(String text) {
        List<ItemPlace> places = new ArrayList<>();
        for (String place : text.split("-", MOST)) {
            if (!FORM.matcher(place).matches()) {
                throw new InvalidValueException("cursor", text, "a cursor of a list of items");
            }
            places.add(parse(place));
        }
        return places;
    }

    @Override
    public String toString() {
        return (kind == ItemKind.PAGE ? "i" : "e") + partition + "." + first + "." + at;
    }
}
