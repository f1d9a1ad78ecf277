package io.trawl.analyzer.extract;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the attribute {@code srcset} (HTML, section Srcset attributes) in one pass: URLs with descriptors, separated by
 * commas.
 */
final class SourceSet {
    private SourceSet() {}

    /** The URLs, in order. A comma within a URL separates nothing. */
    static List<String> urls(String srcset) {
        List<String> urls = new ArrayList<>();
        int at = 0;
        while (at < srcset.length()) {
            while (at < srcset.length() && (srcset.charAt(at) <= ' ' || srcset.charAt(at) == ',')) {
                at++;
            }
            int begin = at;
            while (at < srcset.length() && srcset.charAt(at) > ' ') {
                at++;
            }
            int end = at;
            while (end > begin && srcset.charAt(end - 1) == ',') {
                end--;
            }
            if (end > begin) {
                urls.add(srcset.substring(begin, end));
            }
            at = end < at ? at : descriptorsEnd(srcset, at);
        }
        return urls;
    }

    /** Behind the comma after the descriptors; one in brackets separates nothing. */
    private static int descriptorsEnd(String srcset, int from) {
        int brackets = 0;
        for (int at = from; at < srcset.length(); at++) {
            char c = srcset.charAt(at);
            brackets += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && brackets <= 0) {
                return at + 1;
            }
        }
        return srcset.length();
    }
}
