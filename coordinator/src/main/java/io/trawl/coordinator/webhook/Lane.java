package io.trawl.coordinator.webhook;

import io.trawl.coordinator.events.CrawlEvent;
import io.trawl.coordinator.tail.Entry;
import io.trawl.coordinator.webhook.Sender.Result;
import io.trawl.model.Webhook;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The events for one receiver, sent one after the other by a thread of their own: a receiver that does not answer holds up nobody but itself. Thread-safe.
 */
final class Lane implements Runnable {
    /** More than that wait for nobody: the oldest is given up. */
    private static final int ROOM = 2000;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final int DOUBLINGS = 9;
    private final Outcomes outcomes;
    private final Sender sender;
    private final Time time;
    private final Deque<Letter> waiting = new ArrayDeque<>();

    /** An event, and where it goes. */
    record Letter(Webhook to, Entry<CrawlEvent> event) {}

    /** Who is told what became of each. */
    interface Outcomes {
        /** It was taken, and need not be sent again. */
        void delivered(Letter letter);

        /** It was not taken this time. @return whether to try it again */
        boolean failed(Letter letter, String why);

        /** It will not be sent any more. */
        void givenUp(Letter letter, String why);
    }

    Lane(Sender sender, Time time, Outcomes outcomes) {
        this.sender = sender;
        this.time = time;
        this.outcomes = outcomes;
    }

    void add(Letter letter) {
        Optional<Letter> tooMany;
        synchronized (waiting) {
            waiting.addLast(letter);
            // The first one may be on its way.
            tooMany = waiting.size() > ROOM ? Optional.of(second()) : Optional.empty();
            waiting.notifyAll();
        }
        tooMany.ifPresent(oldest -> outcomes.givenUp(oldest, "more than " + ROOM + " events wait for this receiver"));
    }

    private Letter second() {
        Letter first = waiting.removeFirst();
        Letter second = waiting.removeFirst();
        waiting.addFirst(first);
        return second;
    }

    @Override
    public void run() {
        try {
            while (true) {
                deliver(first());
                synchronized (waiting) {
                    waiting.removeFirst();
                }
            }
        } catch (InterruptedException e) {
            // Another leader goes on.
            Thread.currentThread().interrupt();
        }
    }

    private Letter first() throws InterruptedException {
        synchronized (waiting) {
            while (waiting.isEmpty()) {
                waiting.wait();
            }
            return waiting.getFirst();
        }
    }

    private void deliver(Letter letter) throws InterruptedException {
        for (int tries = 0;; tries++) {
            switch (sender.send(letter.to(), letter.event().value(), time.now())) {
                case Result.Taken taken -> {
                    outcomes.delivered(letter);
                    return;
                }
                case Result.NotTaken(String why, boolean last) -> {
                    if (last || !outcomes.failed(letter, why)) {
                        outcomes.givenUp(letter, why);
                        return;
                    }
                }
            }
            time.pause(pause(tries));
        }
    }

    /** Twice as long each time, and never quite the same, so that receivers that were away together are not asked together. */
    private static Duration pause(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries, DOUBLINGS));
        Duration most = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        return Duration.ofMillis((long) (most.toMillis() * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
    }
}
