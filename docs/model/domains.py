#!/usr/bin/env python3
"""A randomised simulator of `scope.domains: seeds`: leaders accept domains in Redis while a crawl runs, sleep and are replaced, Redis loses
all or the last it was told, and analyzers judge links. It needs nothing but the standard library of Python."""
import argparse, collections, random, sys

DOMAINS, EMPTY = 12, 1                                        # EMPTY: the version of the set before the first seed


class Redis:
    def __init__(r): r.version, r.names, r.saved = 0, set(), (0, frozenset())
    def save(r): r.saved = (r.version, frozenset(r.names))
    def lose(r, everything): r.version, names = (0, ()) if everything else r.saved; r.names = set(names)
    def add(r, off, before, version, names):                  # the names of one transaction
        complete = r.version >= before; r.names |= names
        if complete or 'before' in off: r.version = max(r.version, version)
    def write(r, version, names): r.names |= names; r.version = max(r.version, version)


class Sim:
    def __init__(s, seed, off):
        s.r, s.off, s.redis, s.faults = random.Random(seed), off, Redis(), set()
        s.seeds, s.log, s.requests, s.term = [], [], [], 0    # log: (version, domains) per transaction, as in the ledger
        s.leaders = [s.leader(0)]; s.waiting, s.judged = [], 0

    def known(s): return max([EMPTY] + [v for v, _ in s.log]), set().union(*[d for _, d in s.log])

    def leader(s, term):
        version, accepted = s.known(); at = sum(len(x[3]) for x in s.requests); yield
        while True:
            newest, names = s.known()
            if s.redis.version < newest and 'ledger' not in s.off: yield from s.told(lambda: s.redis.write(newest, names))
            batch = s.seeds[at:at + s.r.randint(1, 4)]
            if not batch: yield; continue
            new = set(batch) - accepted; now = version + 1 if new else version
            tell = lambda before=version: s.redis.add(s.off, 0 if before == EMPTY else before, now, new)
            if new and 'commit' in s.off: yield from s.told(tell)
            if term != s.term: return                         # fenced: the transaction is aborted
            s.log.append((now, new)); s.requests.append((now, set(batch), len(s.log), batch))
            at += len(batch); version, accepted = now, accepted | new; yield
            if new and 'commit' not in s.off: yield from s.told(tell)

    def told(s, call):                                        # a call may arrive late
        for _ in range(s.r.choice((0, 0, 0, 1, 20))): yield
        result = call(); yield
        return result

    def judge(s):                                             # a link of a page to any domain
        request = s.waiting.pop() if s.waiting and s.r.random() < .5 else (s.r.choice(s.requests) if s.requests else None)
        if not request: return
        version, _, logged, _ = request; domain = s.r.randrange(DOMAINS)
        if domain in s.redis.names: s.judged += 1; return
        if s.redis.version < version and 'version' not in s.off: s.waiting.append(request); return
        s.judged += 1
        if any(domain in names for _, names in s.log[:logged]): s.faults.add('a domain is refused whose seed was admitted before')

    def step(s, leader):
        try: next(leader)
        except StopIteration: s.leaders.remove(leader)

    def run(s, steps):
        for _ in range(steps):
            x = s.r.random()
            if x < .1: s.seeds.append(s.r.randrange(DOMAINS))
            elif x < .11: s.term += 1; s.leaders.append(s.leader(s.term))   # the one before sleeps, and may go on
            elif x < .12: s.redis.lose(s.r.random() < .5)
            elif x < .15: s.redis.save()
            elif x < .5: s.judge()
            elif s.leaders: s.step(s.r.choice(s.leaders[-3:]))
        s.term += 1; last = s.leader(s.term)
        for _ in range(500): next(last)
        if s.redis.version < s.known()[0]: s.faults.add('a page waits for ever')
        return s.faults


def main():
    a = argparse.ArgumentParser(description=__doc__, epilog='--off takes rules away: commit = domains are written to Redis after the transaction that admits their '
                                'seeds; version = a "no" needs a set as new as the request; before = the version grows only from the one before; ledger = '
                                'what was lost is written again from the ledger. The exit status is 1 if any seed failed.')
    a.add_argument('--seeds', type=int, default=1000, help='number of runs'); a.add_argument('--from', dest='start', type=int, default=0, help='first seed')
    a.add_argument('--steps', type=int, default=1500, help='length of a run')
    a.add_argument('--off', default=set(), type=lambda x: set(filter(None, x.split(',')))); o = a.parse_args()
    tally, bad = collections.Counter(), 0
    for seed in range(o.start, o.start + o.seeds):
        faults = Sim(seed, o.off).run(o.steps); tally.update(faults); bad += bool(faults)
    print(f'domains  {"off=" + ",".join(sorted(o.off)) if o.off else "":28} seeds {o.start}..{o.start + o.seeds - 1}  failing {bad}  {dict(tally)}', flush=True)
    sys.exit(bad > 0)
if __name__ == '__main__': main()
