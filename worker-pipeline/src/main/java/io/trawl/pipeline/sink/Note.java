package io.trawl.pipeline.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is committed with an offset between the commit and the end of the renames: enough for anybody to finish them. Written as
 * {@code part-03-00000000000000000120.jsonl.1f3a-7.part 2 items/docs-1 errors/docs-1}: the files' name, their number, and the folders they are in, as
 * far as there is room (brokers allow 4096 characters; the number of crawls is not limited).
 *
 * @param name the span
 * @param nonce of the attempt
 * @param files how many there are, in as many folders
 * @param folders the first of them, relative to the output folder
 */
record Note(PartName name, String nonce, int files, List<String> folders) {
    private static final int ROOM = 2000;
    private static final Pattern FORM = Pattern.compile("(\\S+) ([1-9][0-9]{0,8})((?: \\S+)*)");

    Note {
        folders = List.copyOf(folders);
    }

    /** The note for these folders: those that do not fit are left out and have to be looked for. */
    static Note of(PartName name, String nonce, List<String> folders) {
        List<String> fitting = new ArrayList<>();
        int length = 0;
        for (String folder : folders) {
            length += folder.length() + 1;
            if (length > ROOM) {
                break;
            }
            fitting.add(folder);
        }
        return new Note(name, nonce, folders.size(), fitting);
    }

    /** The name of the files before the rename. */
    String unfinished() {
        return name.unfinished(nonce);
    }

    String text() {
        StringBuilder text = new StringBuilder(unfinished()).append(' ').append(files);
        folders.forEach(folder -> text.append(' ').append(folder));
        return text.toString();
    }

    /** @throws StorageFailure if the text is not a note: whoever wrote it knew something that this program does not */
    static Note parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw notUnderstood(text);
        }
        PartName.Unfinished file = PartName.Unfinished.parse(m.group(1)).orElseThrow(() -> notUnderstood(text));
        String folders = m.group(3).strip();
        return new Note(file.name(), file.nonce(), Integer.parseInt(m.group(2)),
                folders.isEmpty() ? List.of() : List.of(folders.split(" ")));
    }

    private static StorageFailure notUnderstood(String text) {
        return new StorageFailure("the pipeline's committed offset carries a note that this version does not understand: '" + text
                + "'. Was it written by a newer version, or by hand?");
    }
}
