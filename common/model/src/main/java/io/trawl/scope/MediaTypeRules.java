package io.trawl.scope;

import io.trawl.field.Form;
import io.trawl.field.Size;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.RefusalReason;
import io.trawl.pattern.Glob;
import io.trawl.value.ContentType;
import java.util.List;
import java.util.Optional;

/**
 * Which media types are stored and analysed, judged by the header {@code Content-Type}. A page without that header, or
 * whose server does not know its type, is wanted.
 *
 * @param include globs of types, such as {@code text/*}; by default all
 * @param exclude globs of types; they win
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MediaTypeRules(
        @JsonProperty("include") @Size(max = 1000) @Form(regexp = MediaTypeRules.FORM, rule = MediaTypeRules.RULE) List<String> include,
        @JsonProperty("exclude") @Size(max = 1000) @Form(regexp = MediaTypeRules.FORM, rule = MediaTypeRules.RULE) List<String> exclude) {
    static final String FORM = "(?=.{1,200}$)[a-z0-9*!#$&^_.+-]+/[a-z0-9*!#$&^_.+-]+";
    static final String RULE = "a media type in lower case without parameters, such as text/html or text/*";
    /** Every type. */
    public static final MediaTypeRules ALL = new MediaTypeRules(List.of(), List.of());

    /** Absent lists are empty. */
    @SuppressWarnings("ConstantValue")
    public MediaTypeRules {
        include = include == null ? List.of() : List.copyOf(include);
        exclude = exclude == null ? List.of() : List.copyOf(exclude);
    }

    /**
     * The rule that refuses a page.
     *
     * @param contentType the header, with parameters; empty if there is none
     */
    public Optional<ScopeRefusal> refusal(String contentType) {
        if (include.isEmpty() && exclude.isEmpty()) {
            return Optional.empty();
        }
        String type = ContentType.of(contentType).map(ContentType::essence).orElse("");
        if (type.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> excluded = first(exclude, type);
        if (excluded.isPresent()) {
            return Optional.of(ScopeRefusal.by(RefusalReason.MEDIA_TYPE, "scope.mediaTypes.exclude", excluded.get(),
                    "the media type " + shown(type) + " is excluded"));
        }
        return include.isEmpty() || names(type)
                ? Optional.empty()
                : Optional.of(new ScopeRefusal(RefusalReason.MEDIA_TYPE, "scope.mediaTypes.include",
                        "the media type " + shown(type) + " is none of scope.mediaTypes.include"));
    }

    /** Whether a rule asks for this type. */
    boolean names(String type) {
        return first(include, type).isPresent();
    }

    private static Optional<String> first(List<String> globs, String type) {
        return globs.stream().filter(glob -> Glob.of(glob).matches(type)).findFirst();
    }

    private static String shown(String type) {
        return type.substring(0, Math.min(type.length(), 100));
    }
}
