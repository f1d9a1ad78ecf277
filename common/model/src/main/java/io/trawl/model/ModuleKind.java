package io.trawl.model;

/** The kinds of process, each with the letter that begins its MIDs. */
public enum ModuleKind {
    /** Fetches pages. */
    DOWNLOADER('D'),
    /** Parses pages and follows links. */
    ANALYZER('A'),
    /** Stores items. */
    PIPELINE('P'),
    /** Drives crawls (the scheduler of S7). */
    COORDINATOR('C');

    private final char letter;

    ModuleKind(char letter) {
        this.letter = letter;
    }

    /** The letter at the beginning of a MID. */
    public char letter() {
        return letter;
    }

    /** @throws InvalidValueException if no kind has that letter */
    public static ModuleKind ofLetter(char letter) {
        for (ModuleKind kind : values()) {
            if (kind.letter == letter) {
                return kind;
            }
        }
        throw new InvalidValueException("MID", Character.toString(letter), "the first letter is D, A, P or C");
    }

    /** The name in settings and JSON: {@code downloader}. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
