package io.trawl.pipeline.sink;

import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.sink.PartFileName.Unfinished;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The metadata of a commit whose renames are pending; any owner can finish the renames from it. The text form is
 * {@code part-03-00000000000000000120.jsonl.1f3a-7.part 2 items/docs-1 errors/docs-1:csv.gz}: the name of the files of
 * JSON lines, the number of files, and their folders with the endings of the others, as far as they fit (brokers allow
 * 4096 characters; the number of crawls is not limited).
 *
 * @param name the name of the span of offsets
 * @param nonce the nonce of the attempt
 * @param files number of files
 * @param places the first of them
 */
record CommitNote(PartFileName name, String nonce, int files, List<NotedFile> places) {
    /** The place of a file. @param folder of its run, relative to the output folder @param ending of its format */
    record NotedFile(String folder, String ending) {
        private static NotedFile parse(String text) {
            int colon = text.indexOf(':');
            return colon < 0
                    ? new NotedFile(text, SinkDefinition.JSON_LINES)
                    : new NotedFile(text.substring(0, colon), text.substring(colon + 1));
        }

        private String text() {
            return ending.equals(SinkDefinition.JSON_LINES) ? folder : folder + ":" + ending;
        }
    }

    private static final int MAX_LENGTH = 2000;
    private static final Pattern FORM = Pattern.compile("(\\S+) ([1-9][0-9]{0,8})((?: \\S+)*)");

    CommitNote {
        places = List.copyOf(places);
    }

    /** The note for these files. Files that do not fit are left out; the next owner searches for them. */
    static CommitNote of(PartFileName name, String nonce, List<NotedFile> files) {
        List<NotedFile> fitting = new ArrayList<>();
        int length = 0;
        for (NotedFile file : files) {
            length += file.text().length() + 1;
            if (length > MAX_LENGTH) {
                break;
            }
            fitting.add(file);
        }
        return new CommitNote(name, nonce, files.size(), fitting);
    }

    /** What the names of unfinished files have behind those of the finished ones. */
    String unfinishedSuffix() {
        return PartFileName.unfinishedSuffix(nonce);
    }

    /** Whether an unfinished file is one of them. */
    boolean names(Unfinished file) {
        return file.name().equals(name) && file.nonce().equals(nonce);
    }

    String text() {
        StringBuilder text = new StringBuilder(name.unfinished(SinkDefinition.JSON_LINES, nonce)).append(' ')
                .append(files);
        places.forEach(place -> text.append(' ').append(place.text()));
        return text.toString();
    }

    /** @throws StorageException if the text is not a note of this version's format */
    static CommitNote parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw notUnderstood(text);
        }
        Unfinished file = Unfinished.parse(m.group(1)).orElseThrow(() -> notUnderstood(text));
        String places = m.group(3).strip();
        return new CommitNote(file.name(), file.nonce(), Integer.parseInt(m.group(2)),
                places.isEmpty() ? List.of() : Stream.of(places.split(" ")).map(NotedFile::parse).toList());
    }

    private static StorageException notUnderstood(String text) {
        return new StorageException(
                "the pipeline's committed offset carries a note that this version does not understand: '" + text
                        + "'. Was it written by a newer version, or by hand?");
    }
}
