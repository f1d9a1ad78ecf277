package io.trawl.settings;

import io.trawl.control.Channels;
import io.trawl.control.FleetSettings;
import io.trawl.module.SerialNumbers.SerialRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The shared settings that hold now: what {@code control} says and, until it does, what this process brings along.
 * Thread-safe; never blocks.
 *
 * @param own the settings of this process
 * @param channels the latest record of them
 * @param fleet the latest record of them
 */
public record SettingsInForce(Settings own, Supplier<Optional<Channels>> channels,
        Supplier<Optional<FleetSettings>> fleet) {
    /** The value of a setting. */
    public Object value(SharedSetting setting) {
        return setting.in(channels.get(), fleet.get()).orElseGet(() -> setting.own(own));
    }

    /** The value of a setting that can be changed. */
    public long number(SharedSetting setting) {
        return (long) value(setting);
    }

    /** The serial numbers of modules. A leader writes no range without numbers, but a foreign record could have one. */
    public SerialRange serials() {
        long largest = number(SharedSetting.SERIALS_LARGEST);
        return new SerialRange(Math.min(number(SharedSetting.SERIALS_START), largest), largest);
    }

    /** All values by the names of the REST interface. */
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        for (SharedSetting setting : SharedSetting.values()) {
            all.put(setting.word(), value(setting));
        }
        return all;
    }

    /** A sentence for each setting on {@code control} of which this process has brought along another value. */
    public List<String> ignored(boolean changeable) {
        List<String> sentences = new ArrayList<>();
        for (SharedSetting setting : SharedSetting.values()) {
            Object mine = setting.own(own);
            if (setting.changeable() == changeable && !mine.equals(value(setting))) {
                sentences.add(setting.word() + " is " + value(setting) + " in this deployment, whatever "
                        + setting.variable() + " is here (" + mine + "): "
                        + (changeable
                                ? "'trawl settings " + setting.word() + "=" + mine + "' changes it"
                                : setting.resizeOption()
                                        .map(option -> "'trawl queue resize " + option + " " + mine + "' changes it")
                                        .orElse("that is fixed; set the variable to it, or create another deployment with another "
                                                + "TRAWL_NAMESPACE (or another data folder)")));
            }
        }
        return sentences;
    }
}
