package io.trawl.scope;

import io.trawl.model.RefusalReason;
import java.util.List;
import java.util.Optional;

/**
 * Which pages are stored, by the language of their text. A page whose language cannot be told is stored.
 *
 * @param wanted the codes of languages; empty: all
 * @param others what becomes of the links of pages that are in none of them
 */
public record LanguageRules(List<String> wanted, OtherLanguages others) {
    /** The languages that an analyzer tells, as a regular expression. */
    public static final String FORM = "af|am|an|ar|as|az|be|bg|bn|br|bs|ca|cs|cy|da|de|dz|el|en|eo|es|"
            + "et|eu|fa|fi|fo|fr|ga|gl|gu|he|hi|hr|ht|hu|hy|id|is|it|ja|jv|ka|"
            + "kk|km|kn|ko|ku|ky|la|lb|lo|lt|lv|mg|mk|ml|mn|mr|ms|mt|ne|nl|nn|"
            + "no|oc|or|pa|pl|ps|pt|qu|ro|ru|rw|se|si|sk|sl|sq|sr|sv|sw|ta|te|" + "th|tl|tr|ug|uk|ur|vi|vo|wa|xh|zh|zu";
    /** The same in words. */
    public static final String RULE = "the code of ISO 639-1 of a language that Trawl tells, such as de, en or zh";
    private static final String FIELD = "scope.languages";

    /** Copies the list. */
    public LanguageRules {
        wanted = List.copyOf(wanted);
    }

    /** Whether the language of each page must be told. */
    public boolean judge() {
        return !wanted.isEmpty();
    }

    /** Whether links of a page are followed that is refused. */
    public boolean followOthers() {
        return others == OtherLanguages.FOLLOW;
    }

    /** The rule in words, if there is one. */
    public Optional<String> rule() {
        return judge()
                ? Optional.of("If its text is in none of " + FIELD + " " + wanted
                        + ", it is refused after its analysis (LANGUAGE), and has no item; a preview of it says so.")
                : Optional.empty();
    }

    /** The refusal of a page. @param language of its text; empty if that cannot be told */
    public Optional<ScopeRefusal> refusal(Optional<String> language) {
        return language.filter(code -> judge() && !wanted.contains(code))
                .map(code -> new ScopeRefusal(RefusalReason.LANGUAGE, FIELD,
                        "its text is in the language " + code + ", which is none of " + FIELD + " " + wanted));
    }
}
