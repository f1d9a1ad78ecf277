package io.trawl.process.builtin;

import dev.cel.common.values.NullValue;
import java.math.BigInteger;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values of JSON as those of CEL, each when it is asked for: whole numbers have 64 bits, others are doubles, and null
 * is a value.
 */
final class CelValues extends AbstractMap<String, Object> {
    private final Map<?, ?> fields;

    CelValues(Map<?, ?> fields) {
        this.fields = fields;
    }

    private static Object value(@Nullable Object json) {
        return switch (json) {
            case null -> NullValue.NULL_VALUE;
            case Integer number -> number.longValue();
            case Short number -> number.longValue();
            case Byte number -> number.longValue();
            case Long number -> number;
            case BigInteger number when number.bitLength() < 64 -> number.longValue();
            case Number number -> number.doubleValue();
            case Map<?, ?> map -> new CelValues(map);
            case List<?> list -> new Elements(list);
            default -> json;
        };
    }

    private static final class Elements extends AbstractList<Object> {
        private final List<?> list;

        Elements(List<?> list) {
            this.list = list;
        }

        @Override
        public Object get(int index) {
            return value(list.get(index));
        }

        @Override
        public int size() {
            return list.size();
        }
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        return containsKey(name) ? value(fields.get(name)) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return name != null && fields.containsKey(name);
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        Map<String, Object> all = new LinkedHashMap<>();
        fields.forEach((name, value) -> all.put(String.valueOf(name), value(value)));
        return all.entrySet();
    }
}
