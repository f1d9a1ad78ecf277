package io.trawl.extract;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A field of a page that rules take by its name. */
enum PageField {
    URL("url"), TITLE("title"), DESCRIPTION("description"), LANG("lang"), LANGUAGE("language"), CANONICAL(
            "canonical"), TEXT("text"), AUTHOR("author"), DATE("date"), CONTENT_TYPE("contentType");

    private final String word;

    PageField(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    static Optional<PageField> of(String word) {
        return Arrays.stream(values()).filter(field -> field.word.equals(word)).findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(PageField::word).toList();
    }
}
