package io.trawl.settings;

import io.trawl.control.Channels;
import io.trawl.control.FleetSettings;
import io.trawl.field.Constraints;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * A setting that is equal in all processes of a deployment: {@code control} says its value, as the first coordinator
 * had it. Those in {@link FleetSettings} can be changed, those in {@link Channels} stay, or are changed with the
 * topics. Pure.
 */
public enum SharedSetting {
    /** How many requests may wait at the highest priority before seeds are refused. */
    CAPACITY("topics.capacity", own -> own.topics().capacity()),
    /** The responses that wait when downloaders hold. */
    RESPONSE_BACKLOG("downloader.response-backlog", own -> own.downloader().responseBacklog()),
    /** The same in bytes. */
    RESPONSE_BACKLOG_BYTES("downloader.response-backlog-bytes", own -> own.downloader().responseBacklogBytes()),
    /** The items that wait when analyzers hold. */
    ITEM_BACKLOG("analyzer.item-backlog", own -> own.analyzer().itemBacklog()),
    /** The same in bytes. */
    ITEM_BACKLOG_BYTES("analyzer.item-backlog-bytes", own -> own.analyzer().itemBacklogBytes()),
    /** The smallest serial number. */
    SERIALS_START("serials.start", own -> own.serials().start()),
    /** The largest serial number. */
    SERIALS_LARGEST("serials.largest", own -> own.serials().largest()),
    /** The number of priorities. */
    LEVELS("topics.levels", own -> own.topics().levels(), Channels::levels),
    /** The partitions of each request topic. */
    REQUEST_PARTITIONS("topics.request-partitions", own -> own.topics().requestPartitions(), Channels::partitions),
    /** The partitions of {@code responses}. */
    RESPONSE_PARTITIONS("topics.response-partitions", own -> own.topics().responsePartitions(), Channels::responses),
    /** The partitions of {@code items}. */
    ITEM_PARTITIONS("topics.item-partitions", own -> own.topics().itemPartitions(), Channels::items),
    /** The partitions of {@code ledger}. */
    LEDGER_PARTITIONS("topics.ledger-partitions", own -> own.topics().ledgerPartitions(), Channels::ledger),
    /** What shares the pauses of a host. */
    POLITENESS_KEY("politeness-key", own -> own.politenessKey().word(), channels -> channels.politeness().word());

    private static final Pattern BORDER = Pattern.compile("_(.)");
    private final String property;
    private final Constraints constraints;
    private final Function<Settings, Object> own;
    private final Optional<Function<Channels, Object>> fixed;

    SharedSetting(String property, ToLongFunction<Settings> own) {
        this.property = property;
        this.constraints = SettingsReader.constraints("trawl." + property);
        this.own = own::applyAsLong;
        this.fixed = Optional.empty();
    }

    SharedSetting(String property, Function<Settings, Object> own, Function<Channels, Object> fixed) {
        this.property = property;
        this.constraints = SettingsReader.constraints("trawl." + property);
        this.own = own;
        this.fixed = Optional.of(fixed);
    }

    /** Its name in the REST interface and on the command line: {@code responseBacklog}. */
    public String word() {
        return BORDER.matcher(name().toLowerCase(Locale.ROOT))
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }

    /** The environment variable of the value that a process brings along. */
    public String variable() {
        return SettingsReader.variable("trawl." + property);
    }

    /** Whether it is one of those that can be changed like a number. */
    public boolean changeable() {
        return fixed.isEmpty();
    }

    /** The option of {@code trawl queue resize} that changes it under running crawls. */
    public Optional<String> resizeOption() {
        return switch (this) {
            case LEVELS -> Optional.of("--levels");
            case REQUEST_PARTITIONS -> Optional.of("--partitions");
            case ITEM_PARTITIONS -> Optional.of("--items");
            case RESPONSE_PARTITIONS -> Optional.of("--responses");
            case LEDGER_PARTITIONS -> Optional.of("--ledger");
            default -> Optional.empty();
        };
    }

    /** The value that a process brings along. */
    public Object own(Settings settings) {
        return own.apply(settings);
    }

    /** The value that {@code control} says; empty if it does not, or says one out of the range. */
    Optional<Object> in(Optional<Channels> channels, Optional<FleetSettings> fleet) {
        return fixed.isPresent()
                ? channels.map(fixed.get())
                : fleet.map(known -> known.values().get(word())).filter(value -> fault(word(), value).isEmpty())
                        .map(value -> value);
    }

    /** @throws InvalidValueException if the value is out of the range; names the field so */
    public void check(String field, long value) {
        fault(field, value).ifPresent(fault -> {
            throw new InvalidValueException(fault.field(), fault.value(), fault.rule());
        });
    }

    private Optional<Fault> fault(String field, long value) {
        return constraints.faults(field, value).findFirst();
    }
}
