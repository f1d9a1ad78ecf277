package io.trawl.standalone.operate;

import io.trawl.codec.Json;
import io.trawl.codec.NearestName;
import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.Table;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.SharedSetting;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl settings}: shows and changes the settings that are equal in all processes of a deployment. */
@Command(name = "settings", sortOptions = false, description = "Show or change the settings that all processes of a deployment share: they follow within seconds, without a restart.", footerHeading = "%nExamples:%n", footer = {
        "  trawl settings", "  trawl settings responseBacklog     # this one only",
        "  trawl settings responseBacklog=50000",
        "  trawl settings itemBacklog=0 itemBacklogBytes=8589934592     # 0: no limit"})
public final class SettingsCommand extends CoordinatorCommand {
    private static final String PATH = "/api/v1/settings";

    @Parameters(arity = "0..*", paramLabel = "NAME[=VALUE]", description = "The settings to show, or with values those to change, all or none. Default: show all.")
    private List<String> settings = List.of();

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        List<String> names = settings.stream().filter(setting -> setting.indexOf('=') < 0).toList();
        names.forEach(SettingsCommand::checkKnown);
        if (names.isEmpty()) {
            ApiResponse answer = settings.isEmpty() ? api.get(PATH) : api.patch(PATH, changes());
            printer.answer(answer.body(), screen -> lines(answer.as(Map.class), screen));
        } else if (names.size() < settings.size()) {
            throw new InvalidValueException("NAME=VALUE", names.getFirst(), "with a value, as the others have one");
        } else {
            Map<?, ?> all = api.get(PATH).as(Map.class);
            Map<String, Object> shown = new TreeMap<>();
            names.forEach(name -> Optional.ofNullable(all.get(name)).ifPresent(value -> shown.put(name, value)));
            printer.answer(Json.bytes(shown), screen -> lines(shown, screen));
        }
    }

    private static void checkKnown(String name) {
        List<String> known = Arrays.stream(SharedSetting.values()).map(SharedSetting::word).toList();
        if (!known.contains(name)) {
            throw new InvalidValueException("NAME=VALUE", name, "one of the settings " + String.join(", ", known)
                    + ", to change it with = and its value" + NearestName.hint(name, known.stream()));
        }
    }

    /** The coordinator says what is wrong with names, and with what is no number. */
    private Map<String, Object> changes() {
        Map<String, Object> changes = new TreeMap<>();
        settings.forEach(setting -> {
            String value = setting.substring(setting.indexOf('=') + 1);
            changes.put(setting.substring(0, setting.indexOf('=')),
                    value.matches("-?[0-9]{1,18}") ? Long.valueOf(value) : value);
        });
        return changes;
    }

    private List<String> lines(Map<?, ?> values, Screen screen) {
        Table table = new Table(Column.words("SETTING"), Column.numbers("VALUE"), Column.words(""),
                Column.words("VARIABLE"));
        List<SharedSetting> shown = Arrays.stream(SharedSetting.values())
                .filter(setting -> settings.isEmpty() || values.containsKey(setting.word())).toList();
        for (SharedSetting setting : shown) {
            table.row(Cell.of(setting.word()), Cell.of(Objects.toString(values.get(setting.word()), "")), Cell
                    .of(setting.changeable() ? "" : setting.resizeOption().map(_ -> "queue resize").orElse("fixed")),
                    Cell.of(setting.variable()));
        }
        return table.lines(screen);
    }
}
