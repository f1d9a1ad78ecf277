package io.trawl.pipeline.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metadata of a commit whose renames are pending; any owner can finish the renames from it. The text form is
 * {@code part-03-00000000000000000120.jsonl.1f3a-7.part 2 items/docs-1 errors/docs-1}: the files' name, their number,
 * and their folders as far as they fit (brokers allow 4096 characters; the number of crawls is not limited).
 *
 * @param name the name of the span of offsets
 * @param nonce the nonce of the attempt
 * @param files number of files, each in its own folder
 * @param folders the first of these folders, relative to the output folder
 */
record CommitNote(PartFileName name, String nonce, int files, List<String> folders) {
    private static final int MAX_LENGTH = 2000;
    private static final Pattern FORM = Pattern.compile("(\\S+) ([1-9][0-9]{0,8})((?: \\S+)*)");

    CommitNote {
        folders = List.copyOf(folders);
    }

    /** The note for these folders. Folders that do not fit are left out; the next owner searches for them. */
    static CommitNote of(PartFileName name, String nonce, List<String> folders) {
        List<String> fitting = new ArrayList<>();
        int length = 0;
        for (String folder : folders) {
            length += folder.length() + 1;
            if (length > MAX_LENGTH) {
                break;
            }
            fitting.add(folder);
        }
        return new CommitNote(name, nonce, folders.size(), fitting);
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

    /** @throws StorageException if the text is not a note of this version's format */
    static CommitNote parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw notUnderstood(text);
        }
        PartFileName.Unfinished file = PartFileName.Unfinished.parse(m.group(1)).orElseThrow(() -> notUnderstood(text));
        String folders = m.group(3).strip();
        return new CommitNote(file.name(), file.nonce(), Integer.parseInt(m.group(2)),
                folders.isEmpty() ? List.of() : List.of(folders.split(" ")));
    }

    private static StorageException notUnderstood(String text) {
        return new StorageException(
                "the pipeline's committed offset carries a note that this version does not understand: '" + text
                        + "'. Was it written by a newer version, or by hand?");
    }
}
