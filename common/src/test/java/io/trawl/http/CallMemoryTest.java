package io.trawl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.http.CallMemory.Reservation;
import org.junit.jupiter.api.Test;

class CallMemoryTest {
    @Test
    void allBodiesTogetherHaveItsSizeAndACallBeyondItComesAgain() {
        CallMemory budget = CallMemory.of(100 << 10);
        Reservation first = budget.reserve(60 << 10);
        assertThatThrownBy(() -> budget.reserve(60 << 10)).isInstanceOfSatisfying(CallRefusedException.class, e -> {
            assertThat(e.status()).isEqualTo(503);
            assertThat(e.headers()).containsEntry("Retry-After", "1");
        });
        first.close();
        first.close();
        budget.reserve(60 << 10).close();
        assertThatThrownBy(() -> {
            budget.reserve(60 << 10);
            budget.reserve(60 << 10);
        }).as("closing twice gives nothing back twice").isInstanceOf(CallRefusedException.class);
    }

    @Test
    void aBodyThatNeverFitsIsTooLarge() {
        assertThatThrownBy(() -> CallMemory.of(1 << 10).reserve(2 << 10))
                .isInstanceOfSatisfying(CallRefusedException.class, e -> assertThat(e.status()).isEqualTo(413));
    }
}
