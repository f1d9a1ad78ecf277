package io.trawl.standalone.operate;

import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.Table;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.settings.SharedSetting;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl settings}: shows and changes the settings that are equal in all processes of a deployment. */
@Command(name = "settings", sortOptions = false, description = "Show or change the settings that all processes of a deployment share: they follow within seconds, without a restart.", footerHeading = "%nExamples:%n", footer = {
        "  trawl settings", "  trawl settings responseBacklog=50000",
        "  trawl settings itemBacklog=0 itemBacklogBytes=8589934592     # 0: no limit"})
public final class SettingsCommand extends CoordinatorCommand {
    private static final String PATH = "/api/v1/settings";

    @Parameters(arity = "0..*", paramLabel = "NAME=VALUE", description = "The settings to change, all or none. Default: show all.")
    private Map<String, String> changes = Map.of();

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse answer = changes.isEmpty() ? api.get(PATH) : api.patch(PATH, numbers());
        printer.answer(answer.body(), screen -> lines(answer.as(Map.class), screen));
    }

    /** The coordinator says what is wrong with what is no number. */
    private Map<String, Object> numbers() {
        Map<String, Object> numbers = new TreeMap<>();
        changes.forEach((name, value) -> numbers.put(name, value.matches("-?[0-9]{1,18}") ? Long.valueOf(value) : value));
        return numbers;
    }

    private static List<String> lines(Map<?, ?> values, Screen screen) {
        Table table = new Table(Column.words("SETTING"), Column.numbers("VALUE"), Column.words(""), Column.words("VARIABLE"));
        for (SharedSetting setting : SharedSetting.values()) {
            table.row(Cell.of(setting.word()), Cell.of(Objects.toString(values.get(setting.word()), "")),
                    Cell.of(setting.changeable() ? "" : "fixed"), Cell.of(setting.variable()));
        }
        return table.lines(screen);
    }
}
