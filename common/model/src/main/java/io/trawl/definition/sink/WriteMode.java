package io.trawl.definition.sink;

/** What a sink does with items whose key it has from earlier runs, by its settings {@code write} and {@code gone}. */
public enum WriteMode {
    /** It stores each item for itself. */
    APPEND,
    /** It keeps the newest item of each key, and marks those that are gone. */
    MARK,
    /** It keeps the newest item of each key, and deletes those that are gone. */
    DELETE;

    static final String WRITE = "write";
    static final String UPSERT = "upsert";
    /** The setting that has a meaning with {@value #UPSERT} only. */
    public static final String GONE = "gone";

    /** Of settings that are valid. */
    static WriteMode of(SettingValues values) {
        if (!values.text(WRITE).equals(UPSERT)) {
            return APPEND;
        }
        return values.text(GONE).equals("delete") ? DELETE : MARK;
    }
}
