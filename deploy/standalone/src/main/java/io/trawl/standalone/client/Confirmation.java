package io.trawl.standalone.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Asks before something is deleted. */
public final class Confirmation {
    private Confirmation() {}

    /**
     * Whether the user agrees, at the terminal.
     *
     * @param deleted what would be deleted
     * @throws UserMistakeException if standard input is not a terminal
     */
    public static boolean given(String deleted) {
        if (!Boolean.getBoolean("trawl.input.terminal")) {
            throw new UserMistakeException(
                    "standard input is not a terminal, so the command cannot ask whether to delete " + deleted
                            + ": add --yes");
        }
        System.err.print("Delete " + deleted + "? [y/N] ");
        System.err.flush();
        try {
            String answer = new BufferedReader(new InputStreamReader(System.in, System.err.charset())).readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
