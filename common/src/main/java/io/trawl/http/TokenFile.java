package io.trawl.http;

import io.trawl.model.Sha256;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.settings.Role;
import io.trawl.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens and quotas of a deployment: those of the settings, and those of {@code TRAWL_API_TOKENS_FILE}, which is
 * read again at most a second after it changed. A changed file that cannot be read or breaks a rule is reported in the
 * log and ignored: the last good one stays in force. Thread-safe.
 */
public final class TokenFile {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    private static final String SETTING = "TRAWL_API_TOKENS_FILE";
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int LARGEST = 1 << 20;
    private final List<Token> ofSettings;
    private final Optional<Path> file;
    private final InstantSource clock;
    private final AtomicReference<Read> read;

    /**
     * One token. Any number of them may have the same name, so that two are valid while one replaces the other.
     *
     * @param name of its owner, for events and the log
     * @param sha256 of the token
     */
    private record Token(String name, byte[] sha256, Caller caller) {}

    /**
     * How much the crawls of a prefix may take together, for all callers; an absent limit is none.
     *
     * @param prefix of the crawls' ids
     * @param crawls that exist at a time
     * @param waiting requests that may wait when seeds are added
     * @param pagesPerDay pages of a day in UTC
     */
    public record Quota(String prefix, Optional<Long> crawls, Optional<Long> waiting, Optional<Long> pagesPerDay) {
        /** @throws InvalidValueException if the prefix is absent or a limit is negative */
        public Quota {
            TokenRules.prefix("prefix", prefix);
            crawls.ifPresent(n -> FieldRules.count("crawls", n));
            waiting.ifPresent(n -> FieldRules.count("waiting", n));
            pagesPerDay.ifPresent(n -> FieldRules.count("pagesPerDay", n));
        }
    }

    /** What was read when. */
    private record Read(List<Token> tokens, List<Quota> quotas, String version, Instant looked) {}

    /** The file as it is written. */
    private record WrittenFile(List<WrittenToken> tokens, List<Quota> quotas) {
        WrittenFile {
            tokens = tokens == null ? List.of() : List.copyOf(tokens);
            quotas = quotas == null ? List.of() : List.copyOf(quotas);
        }
    }

    private record WrittenToken(String name, String role, Optional<String> prefix, Optional<String> token,
            @JsonProperty("sha256") Optional<String> sha256) {
        Token decoded(int place) {
            String at = "tokens[" + place + "].";
            TokenRules.matches(at + "name", name, TokenRules.NAME, "1 to 64 letters, digits and . _ @ -");
            if (token.isPresent() == sha256.isPresent()) {
                throw new InvalidValueException(at + "token", "", "either token, or else sha256");
            }
            token.ifPresent(text -> TokenRules.matches(at + "token", text, TokenRules.TOKEN, "(hidden)",
                    "16 to 256 letters, digits and . _ ~ + / = -"));
            sha256.ifPresent(
                    text -> TokenRules.matches(at + "sha256", text, TokenRules.DIGEST, "64 hexadecimal digits"));
            byte[] digest = token.map(Sha256::of).orElseGet(() -> HexFormat.of().parseHex(sha256.orElseThrow()));
            return new Token(name, digest, switch (String.valueOf(role)) {
                case "look" -> Caller.of(name, Role.READ);
                case "administer" -> Caller.of(name, Role.WRITE);
                case "operate" -> {
                    TokenRules.prefix(at + "prefix", prefix.orElse(""));
                    yield new Caller(name, Role.WRITE, prefix);
                }
                default ->
                    throw new InvalidValueException(at + "role", String.valueOf(role), "look, operate or administer");
            });
        }
    }

    private TokenFile(List<Token> ofSettings, Optional<Path> file, InstantSource clock) {
        this.ofSettings = ofSettings;
        this.file = file;
        this.clock = clock;
        this.read = new AtomicReference<>(new Read(List.of(), List.of(), "", clock.instant()));
        file.ifPresent(path -> read.set(read(path, version(path))));
    }

    /** @throws InvalidValueException if the file of the settings cannot be read or breaks a rule */
    public static TokenFile of(Settings settings, InstantSource clock) {
        List<Token> tokens = new ArrayList<>();
        settings.api().writeToken()
                .ifPresent(t -> tokens.add(new Token("write", Sha256.of(t), Caller.of("write", Role.WRITE))));
        settings.api().readToken()
                .ifPresent(t -> tokens.add(new Token("read", Sha256.of(t), Caller.of("read", Role.READ))));
        return new TokenFile(List.copyOf(tokens), settings.api().tokensFile(), clock);
    }

    /** Whether there is any token, or may be one later. */
    boolean inUse() {
        return file.isPresent() || !ofSettings.isEmpty();
    }

    /** Whose token this is; empty if it is none. All are compared, each in constant time. */
    Optional<Caller> caller(String token) {
        byte[] digest = Sha256.of(token);
        Optional<Caller> found = Optional.empty();
        for (List<Token> some : List.of(current().tokens(), ofSettings)) {
            for (Token known : some) {
                if (MessageDigest.isEqual(known.sha256(), digest)) {
                    found = Optional.of(known.caller());
                }
            }
        }
        return found;
    }

    /** The quotas that are in force now. */
    public List<Quota> quotas() {
        return current().quotas();
    }

    private Read current() {
        Read last = read.get();
        Instant now = clock.instant();
        if (file.isEmpty() || Duration.between(last.looked(), now).abs().compareTo(LOOK) < 0) {
            return last;
        }
        String version = version(file.get());
        Read next = new Read(last.tokens(), last.quotas(), version, now);
        if (!version.equals(last.version())) {
            try {
                next = read(file.get(), version);
                LOG.info("{} is read again: {} tokens, {} quotas", file.get(), next.tokens().size(),
                        next.quotas().size());
            } catch (InvalidValueException e) {
                LOG.error("the changed file of tokens is ignored, and the last one stays in force: {}", e.getMessage());
            }
        }
        return read.compareAndSet(last, next) ? next : read.get();
    }

    private Read read(Path path, String version) {
        try {
            if (Files.size(path) > LARGEST) {
                throw new InvalidValueException(SETTING, path.toString(), "a file of at most " + LARGEST + " bytes");
            }
            WrittenFile written = Json.readBounded(Files.readAllBytes(path), WrittenFile.class);
            List<Token> tokens = new ArrayList<>();
            for (int place = 0; place < written.tokens().size(); place++) {
                tokens.add(written.tokens().get(place).decoded(place));
            }
            return new Read(List.copyOf(tokens), written.quotas(), version, clock.instant());
        } catch (IOException e) {
            throw new InvalidValueException(SETTING, path.toString(), "a file that can be read");
        } catch (InvalidValueException e) {
            throw new InvalidValueException(SETTING, path.toString(), "a file of tokens; " + e.getMessage());
        } catch (MalformedRecordException e) {
            // Without the value: it may be a token.
            throw new InvalidValueException(SETTING, path.toString(),
                    "a file of tokens; " + e.fault()
                            .map(fault -> (fault.field().isEmpty() ? "all of it" : fault.field()) + ": " + fault.rule())
                            .orElse("a value is missing or null"));
        }
    }

    /** Changes when the file does. */
    private static String version(Path path) {
        try {
            return Files.getLastModifiedTime(path) + " " + Files.size(path);
        } catch (IOException e) {
            return "none";
        }
    }

    /** The rules for fields of the file. */
    private static final class TokenRules {
        static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");
        static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{16,256}");
        static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");
        private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

        private TokenRules() {}

        static void matches(String field, String value, Pattern form, String rule) {
            matches(field, value, form, String.valueOf(value), rule);
        }

        static void matches(String field, String value, Pattern form, String shown, String rule) {
            FieldRules.present(field, value);
            if (!form.matcher(value).matches()) {
                throw new InvalidValueException(field, shown, rule);
            }
        }

        static void prefix(String field, String value) {
            matches(field, value, PREFIX,
                    "the beginning of crawl ids: 1 to 64 characters of a-z 0-9 . _ -, the first a letter or digit");
        }
    }
}
