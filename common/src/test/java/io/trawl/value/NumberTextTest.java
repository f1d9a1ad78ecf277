package io.trawl.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.Json;
import io.trawl.model.InvalidValueException;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"en|1,234.50|1234.5", "en|12,34,567|1234567", "de|1.234,5|1234.5",
            "de|1.234|1234", "fr|1 234,5|1234.5", "fr|1\u202F234|1234", "de-CH|1’234.50|1234.5", "en|1e3|1000",
            "en|−3|-3", "en|+3|3", "en| 7 |7", "en|123456789012345678901|123456789012345678901", "en|.5|0.5",
            "en|0.00|0"})
    void aNumberIsReadAsItsLocaleWritesIt(String locale, String text, String number) {
        assertThat(Json.text(new NumberText(Locale.forLanguageTag(locale)).number(text, false))).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"en|1,50", "en|1.2.3", "de|1.5", "en|1,2345", "en|0x10", "en|NaN",
            "en|1e999999", "en|-", "en|1 2", "en|12 items", "en|''"})
    void whatIsNoNumberOfTheLocaleIsRefused(String locale, String text) {
        assertThatThrownBy(() -> new NumberText(Locale.forLanguageTag(locale)).number(text, false))
                .isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"en|$1,299.00|1299|USD", "en-CA|$5|5|CAD",
            "de|1.299,- €|1299|EUR", "de-CH|CHF 12.50|12.5|CHF", "sv-SE|129 kr|129|SEK", "en|EUR 7|7|EUR",
            "pl|12,99 zł|12.99|PLN", "en-GB|12|12|GBP", "en|12|12|", "pt-BR|R$ 1.234,56|1234.56|BRL",
            "ja-JP|￥1,200|1200|JPY", "en|US$5|5|USD"})
    void anAmountHasTheCurrencyThatItOrItsLocaleNames(String locale, String text, String amount, String currency) {
        String json = "{\"amount\":" + amount + (currency == null ? "" : ",\"currency\":\"" + currency + "\"") + "}";
        assertThat(Json.text(new NumberText(Locale.forLanguageTag(locale)).money(text, false))).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"en|$", "en|12 apples", "en|€ free", "en|5 $ 6"})
    void whatIsNoAmountIsRefused(String locale, String text) {
        assertThatThrownBy(() -> new NumberText(Locale.forLanguageTag(locale)).money(text, false))
                .isInstanceOf(InvalidValueException.class);
    }
}
