package io.trawl.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.FleetSettings;
import io.trawl.model.PolitenessKey;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsInForceTest {
    private final Settings own = SettingsReader
            .from(Map.of("trawl.topics.capacity", "500", "trawl.topics.levels", "5"));

    private SettingsInForce inForce(Optional<Channels> channels, Map<String, Long> values) {
        return new SettingsInForce(own, () -> channels, () -> Optional.of(new FleetSettings(1, values)));
    }

    @Test
    void untilControlSaysAValueTheProcessesOwnHolds() {
        SettingsInForce none = new SettingsInForce(own, Optional::empty, Optional::empty);
        assertThat(none.all()).containsEntry("capacity", 500L).containsEntry("levels", 5).containsEntry("politenessKey",
                "host");
        assertThat(none.ignored(true)).isEmpty();
        assertThat(none.ignored(false)).isEmpty();
        assertThat(inForce(Optional.empty(), Map.of("itemBacklog", 7L)).number(SharedSetting.CAPACITY)).isEqualTo(500);
    }

    @Test
    void whatControlSaysHoldsAndWhatIsIgnoredIsNamedWithTheCommandThatChangesIt() {
        SettingsInForce fleet = inForce(
                Optional.of(ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.DOMAIN).responses(8).items(4).ledger(4).build()),
                Map.of("capacity", 900L, "responseBacklog", 20_000L));
        assertThat(fleet.all()).containsEntry("capacity", 900L).containsEntry("levels", 3)
                .containsEntry("politenessKey", "domain");
        assertThat(fleet.ignored(true))
                .containsExactly("capacity is 900 in this deployment, whatever TRAWL_TOPICS_CAPACITY is here (500): "
                        + "'trawl settings capacity=500' changes it");
        assertThat(fleet.ignored(false)).hasSize(2)
                .contains("levels is 3 in this deployment, whatever TRAWL_TOPICS_LEVELS is here (5): "
                        + "'trawl queue resize --levels 5' changes it")
                .anyMatch(line -> line.startsWith(
                        "politenessKey is domain in this deployment, whatever TRAWL_POLITENESS_KEY is here (host): that is fixed"));
    }

    /** Another program has written it. */
    @Test
    void aValueOutOfItsRangeIsNotHeeded() {
        assertThat(inForce(Optional.empty(), Map.of("capacity", 1L << 60, "serialsStart", 0L)).all())
                .containsEntry("capacity", 500L).containsEntry("serialsStart", 1L);
    }

    @Test
    void everySharedSettingIsASettingThatIsDescribed() {
        assertThat(SharedSetting.values()).allSatisfy(setting -> assertThat(SettingsReader.properties().keySet())
                .extracting(SettingsReader::variable).contains(setting.variable()));
    }
}
