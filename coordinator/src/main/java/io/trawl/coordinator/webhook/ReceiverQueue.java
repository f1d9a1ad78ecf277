package io.trawl.coordinator.webhook;

import io.trawl.control.Webhook;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.webhook.WebhookSender.Result;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events for one receiver, sent in order by a thread of their own, so that a receiver that does not answer delays
 * no other one. Thread-safe.
 */
final class ReceiverQueue implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverQueue.class);
    /** The maximum number of waiting events: beyond it the oldest is dropped. */
    private static final int CAPACITY = 2000;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final int DOUBLINGS = 9;
    private final WebhookDeliveries webhookDeliveries;
    private final WebhookSender webhookSender;
    private final Time time;
    private final Deque<Delivery> waiting = new ArrayDeque<>();

    /** An event and its receiver. */
    record Delivery(Webhook to, FeedEntry<CrawlEvent> event) {}

    ReceiverQueue(WebhookSender webhookSender, Time time, WebhookDeliveries webhookDeliveries) {
        this.webhookSender = webhookSender;
        this.time = time;
        this.webhookDeliveries = webhookDeliveries;
    }

    void add(Delivery delivery) {
        Optional<Delivery> dropped;
        synchronized (waiting) {
            waiting.addLast(delivery);
            // The first event may be in flight.
            dropped = waiting.size() > CAPACITY ? Optional.of(second()) : Optional.empty();
            waiting.notifyAll();
        }
        dropped.ifPresent(oldest -> webhookDeliveries.givenUp(oldest,
                "more than " + CAPACITY + " events are waiting for this receiver"));
    }

    private Delivery second() {
        Delivery first = waiting.removeFirst();
        Delivery second = waiting.removeFirst();
        waiting.addFirst(first);
        return second;
    }

    @Override
    public void run() {
        try {
            while (true) {
                Delivery next = first();
                try {
                    deliver(next);
                } catch (RuntimeException e) {
                    // A defect: it costs this receiver one event, and no other receiver anything.
                    LOG.error("error while delivering an event, which is dropped", e);
                    webhookDeliveries.givenUp(next, "an error of this process: see its log");
                }
                synchronized (waiting) {
                    waiting.removeFirst();
                }
            }
        } catch (InterruptedException e) {
            // The next leader continues.
            Thread.currentThread().interrupt();
        }
    }

    private Delivery first() throws InterruptedException {
        synchronized (waiting) {
            while (waiting.isEmpty()) {
                waiting.wait();
            }
            return waiting.getFirst();
        }
    }

    private void deliver(Delivery delivery) throws InterruptedException {
        for (int tries = 0;; tries++) {
            switch (webhookSender.send(delivery.to(), delivery.event().value(), time.now())) {
                case Result.Delivered _ -> {
                    webhookDeliveries.delivered(delivery);
                    return;
                }
                case Result.Failed(String why, boolean last) -> {
                    if (last || !webhookDeliveries.failed(delivery, why)) {
                        webhookDeliveries.givenUp(delivery, why);
                        return;
                    }
                }
            }
            time.pause(pause(tries));
        }
    }

    /** Exponential back-off with jitter. */
    private static Duration pause(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries, DOUBLINGS));
        Duration most = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        return Duration.ofMillis((long) (most.toMillis() * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
    }
}
