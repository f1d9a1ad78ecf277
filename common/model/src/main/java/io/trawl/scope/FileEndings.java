package io.trawl.scope;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import io.trawl.pattern.UrlParts;

/**
 * The endings of the names of files that a crawl does not fetch, unless its definition says otherwise: what built-in
 * parsers get no text and no links from.
 */
public final class FileEndings {
    private static final int LONGEST = 20;
    private static final String TABLE = """
            image/avif avif
            image/bmp bmp
            image/gif gif
            image/x-icon ico
            image/jpeg jpeg jpg
            image/png png
            image/svg+xml svg
            image/tiff tif tiff
            image/vnd.adobe.photoshop psd
            image/webp webp
            audio/aac aac
            audio/flac flac
            audio/midi mid midi
            audio/mp4 m4a
            audio/mpeg mp3
            audio/ogg oga ogg opus
            audio/wav wav
            audio/x-aiff aif aiff
            audio/x-ms-wma wma
            video/mp4 m4v mp4
            video/mpeg mpeg mpg
            video/ogg ogv
            video/quicktime mov
            video/webm webm
            video/x-flv flv
            video/x-matroska mkv
            video/x-ms-wmv wmv
            video/x-msvideo avi
            font/otf otf
            font/ttf ttf
            font/woff woff
            font/woff2 woff2
            application/vnd.ms-fontobject eot
            text/css css
            text/javascript js mjs
            application/gzip gz tgz
            application/java-archive jar
            application/vnd.android.package-archive apk
            application/vnd.debian.binary-package deb
            application/vnd.rar rar
            application/x-7z-compressed 7z
            application/x-apple-diskimage dmg
            application/x-bzip2 bz2
            application/x-iso9660-image iso
            application/x-msdownload exe
            application/x-msi msi
            application/x-rpm rpm
            application/x-tar tar
            application/x-xz xz
            application/zip zip
            application/zstd zst
            """;
    private static final Map<String, String> TYPES = types();
    /** The endings that are skipped by default, in alphabetical order. */
    public static final List<String> DEFAULT = List.copyOf(TYPES.keySet());
    private static final Set<String> ALL = Set.copyOf(DEFAULT);

    private FileEndings() {}

    private static Map<String, String> types() {
        Map<String, String> types = new TreeMap<>();
        TABLE.lines().map(line -> line.split(" "))
                .forEach(row -> Arrays.stream(row).skip(1).forEach(ending -> types.put(ending, row[0])));
        return types;
    }

    /**
     * The endings that are skipped, in lower case.
     *
     * @param own those of the definition; empty: the default ones, except those whose media type the definition asks
     * for
     */
    static Set<String> skipped(Optional<List<String>> own, MediaTypeRules wanted) {
        if (own.isEmpty() && wanted.include().isEmpty()) {
            return ALL;
        }
        Set<String> skipped = new HashSet<>();
        own.ifPresentOrElse(endings -> endings.forEach(ending -> skipped.add(ending.toLowerCase(Locale.ROOT))),
                () -> TYPES.forEach((ending, type) -> {
                    if (!wanted.names(type)) {
                        skipped.add(ending);
                    }
                }));
        return skipped;
    }

    /** The ending of the last segment of the path, in lower case; without one, nothing. */
    static String of(UrlParts url) {
        String text = url.text();
        int dot = text.lastIndexOf('.', url.query() - 1);
        return dot < url.path() || url.query() - dot - 1 > LONGEST
                || text.indexOf('/', dot) >= 0 && text.indexOf('/', dot) < url.query()
                        ? ""
                        : text.substring(dot + 1, url.query()).toLowerCase(Locale.ROOT);
    }
}
