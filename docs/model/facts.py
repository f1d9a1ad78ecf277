#!/usr/bin/env python3
"""A randomised simulator of the hashes in which Redis keeps the facts of a run: they split as they fill, while processes that know an older depth look
up, learn, are killed or sleep between any two scripts, and leaders copy and delete them. With --bytes it prints what a URL takes instead. It needs
nothing but the standard library of Python."""
import argparse, collections, math, random, sys

FULL, DEEPEST, DIGITS, DROPPED = 3, 7, 8, 2                   # a hash of 3 fields splits; a field loses 2 digits at every second level
REAL_FULL, REAL_DEEPEST = 256, 31                             # those of the scripts, whose fields lose 4 digits of 40 at every fourth level
SPLIT = {'': 1}
ELSEWHERE = object()


def field(url, level): return url[level // DROPPED * DROPPED:]


class Redis:                                                  # each method is one script
    def __init__(s, off): s.off, s.hashes, s.notes = off, {}, {}
    def split(s, key): return s.hashes.get(key) == SPLIT
    def find(s, run, url, top, bottom):                       # -> the level of the hash that has the URL, or gets it
        for level in range(bottom, top - 1, -1):
            key = run, url[:level]
            if s.split(key):
                if level < bottom: return level + 1
                return level if level == DEEPEST else ELSEWHERE
            if key in s.hashes: return level
        return top if top == 0 or 'top' in s.off else ELSEWHERE
    def ask(s, run, url, top, bottom, value=None):            # look, or learn -> level, value before, whether it is full
        level = s.find(run, url, top, bottom)
        if level is ELSEWHERE: return level, None, False
        key, name = (run, url[:level]), field(url, level)
        before = s.hashes.get(key, {}).get(name)
        if value is not None and (before is None or value < before): s.hashes.setdefault(key, {})[name] = value
        return level, before, len(s.hashes.get(key, {})) >= FULL and level < DEEPEST
    def divide(s, run, path):
        old, level = s.hashes.get((run, path), {}), len(path)
        if len(old) < FULL: return
        for name, value in old.items():
            if not name: continue
            child = path + name[level % DROPPED]
            s.hashes.setdefault((run, child), {})[name[DROPPED:] if (level + 1) % DROPPED == 0 else name] = value
        s.hashes[run, path] = dict(SPLIT)
    def splits(s, run, paths): return [s.split((run, path)) for path in paths]
    def forget(s, run, path, token=None):                     # a hash and those that it was split into -> whether it stays
        if token and s.notes.get(run) != token and 'note' not in s.off: return None
        children = [(run, path + digit) for digit in '0123']
        if any(map(s.split, children)) and 'children' not in s.off: return True
        for key in [(run, path)] + children: s.hashes.pop(key, 0)
        return False
    def copy(s, run, to, path, token):
        if s.notes.get(to) != token and 'note' not in s.off: return None
        if (run, path) in s.hashes: s.hashes[to, path] = dict(s.hashes[run, path])
        else: s.hashes.pop((to, path), 0)
        return s.split((run, path))
    def omit(s, run, url, top, bottom, token):
        if s.notes.get(run) != token and 'note' not in s.off: return None
        level = s.find(run, url, top, bottom)
        if level is not ELSEWHERE: s.hashes.get((run, url[:level]), {}).pop(field(url, level), 0)
        if level is not ELSEWHERE and s.hashes.get((run, url[:level])) == {}: del s.hashes[run, url[:level]]
        return level


class Life:
    def __init__(s, seed, off):
        s.r, s.off, s.redis, s.faults = random.Random(seed), off, Redis(off), set()
        same = ''.join(s.r.choice('0123') for _ in range(DIGITS))       # of many URLs the first digits are equal
        s.urls = [same[:s.r.choice((0, 0, 0, 2, 5))] + ''.join(s.r.choice('0123') for _ in range(DIGITS)) for _ in range(30)]
        s.urls = sorted({url[:DIGITS] for url in s.urls}); s.true = collections.defaultdict(dict); s.tokens, s.over = 0, set()

    def window(s, hint): return max(0, hint - 1), hint
    def anywhere(s, asks, hint):                              # asks(top, bottom) -> level, ...: the levels that are likely, then more, then all
        for top, bottom in (s.window(hint), (0, min(DEEPEST, hint + 1)), (0, DEEPEST)):
            answer = asks(top, bottom); yield
            if answer is None or answer[0] is not ELSEWHERE: return answer
        s.faults.add('nowhere'); return (0, None, False)

    def process(s, run, steps, hint):                         # learns and looks up, and remembers a level
        for _ in range(steps):
            url, value = s.r.choice(s.urls), s.r.choice((None, s.r.randrange(9)))
            must = s.true[run].get(url)
            level, before, full = yield from s.anywhere(lambda a, b: s.redis.ask(run, url, a, b, value), hint)
            if must is not None and run not in s.over and (before is None or before > must): s.faults.add('lost')
            if value is not None: s.true[run][url] = min(value, s.true[run].get(url, 9))
            hint = level
            if full: s.redis.divide(run, url[:level]); yield

    def forget(s, run, token=None):
        stays, passes = True, 0
        while stays:
            passes += 1
            if passes > 20: s.faults.add('does not end'); return True
            paths, levels = [''], []
            while paths:
                flags = s.redis.splits(run, paths); yield
                levels.append([path for path, split in zip(paths, flags) if split])
                paths = [path + digit for path in levels[-1] for digit in '0123']
            stays = False
            for path in [path for level in reversed(levels) for path in level] + ['']:
                answer = s.redis.forget(run, path, token); yield
                if answer is None: return False
                stays = stays or answer
        return True

    def leader(s, run, to, without):                          # gives the facts of a run to another one -> what that must know, if it came to the end
        s.tokens += 1; token = s.tokens; s.redis.notes[to] = token; yield
        if not (yield from s.forget(to, token)): return None
        must = {url: value for url, value in s.true[run].items() if url not in without}
        paths = ['']
        while paths:
            path = paths.pop(); split = s.redis.copy(run, to, path, token); yield
            if split is None: return None
            if split: paths += [path + digit for digit in '0123']
        for url in without:
            asks = lambda a, b: None if (level := s.redis.omit(to, url, a, b, token)) is None else (level,)
            if (yield from s.anywhere(asks, s.r.randint(0, 3))) is None: return None
        return must

    def together(s, *processes):                              # until one has come to its end, which the others may not: killed, or asleep for now
        left, done = list(processes), {}
        while left:
            one = s.r.choice(left[:1] if s.r.random() < .3 else left)
            try: next(one)
            except StopIteration as end: left.remove(one); done[one] = end.value
            if s.r.random() < .01: left.remove(s.r.choice(left)) if left else None
        return done

    def play(s):
        first = [s.process('a', s.r.randint(1, 60), s.r.choice((0, 0, 2, DEEPEST))) for _ in range(3)]
        s.together(*first)
        without = s.r.sample(s.urls, 3)
        asleep = s.leader('a', 'b', without)                  # it sleeps somewhere in the copy, and wakes while the other run goes on
        for _ in range(s.r.randint(1, 40)):
            try: next(asleep)
            except StopIteration: break
        late = s.process('a', 20, 0); copy = s.leader('a', 'b', without)
        must = s.together(late, copy).get(copy)
        if must is not None:
            s.true['b'] = must
            s.together(asleep, *[s.process('b', 40, s.r.choice((0, 2))) for _ in range(2)])
            known = dict(s.true['b'])
            for url in s.urls:                                # a process that knows nothing
                looks = s.process('b', 0, 0); list(looks)
                level, before, _ = finish(s.anywhere(lambda a, b: s.redis.ask('b', url, a, b), 0))
                if known.get(url) is not None and (before is None or before > known[url]): s.faults.add('lost in a copy')
        for run in 'ab':
            s.over.add(run); s.redis.notes.pop(run, 0)
            deletion = s.forget(run); s.together(deletion, s.process(run, 15, s.r.choice((0, 2))), asleep)
            finish(s.forget(run))
            if any(key[0] == run for key in s.redis.hashes): s.faults.add('left')
        return s.faults


def finish(process):
    while True:
        try: next(process)
        except StopIteration as end: return end.value


def per_url(urls, value):
    """The bytes that a URL takes in a run of so many, with values of so many bytes."""
    total, split = 0.0, 1.0                                   # split: how likely the hash above has been split
    for level in range(REAL_DEEPEST):
        mean, entry, other = urls / 4 ** level, 10 - level // 4 + 2 + value + 2, allocated(60 + level) + 16 + 24 + 16
        likely = {n: math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in range(1, REAL_FULL)}
        total += 4 ** level * split * sum(p * (allocated(7 + n * entry) + other) for n, p in likely.items())
        split *= max(0.0, 1 - math.exp(-mean) - sum(likely.values()))
        if split < 1e-12: break
        total += 4 ** level * split * (allocated(12) + other)
    return total / urls


def allocated(size):                                          # jemalloc: four classes between a power of two and the next
    step = max(16, 2 ** max(0, math.ceil(math.log2(size)) - 3))
    return math.ceil(size / step) * step


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seeds', type=int, default=300); parser.add_argument('--from', type=int, default=0, dest='first')
    parser.add_argument('--off', action='append', default=[], choices=['top', 'children', 'note'])
    parser.add_argument('--bytes', action='store_true')
    args = parser.parse_args()
    if args.bytes:
        for power in range(12, 41):
            n = round(10 ** (power / 4))
            print(f'{n:>12}  ' + '  '.join(f'{form} {per_url(n, value):5.1f}' for form, value in (('known', 1), ('answered', 6), ('longest', 12))))
        sys.exit()
    failing = {}
    for seed in range(args.first, args.first + args.seeds):
        faults = Life(seed, set(args.off)).play()
        if faults: failing[seed] = faults
    kinds = collections.Counter(kind for faults in failing.values() for kind in faults)
    print(f'facts seeds {args.first}..{args.first + args.seeds - 1}  failing {len(failing)}  {dict(kinds)}  {list(failing)[:3]}')
    sys.exit(1 if failing else 0)
