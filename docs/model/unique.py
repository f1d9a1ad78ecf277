#!/usr/bin/env python3
"""A randomised simulator of `unique` in runs that refresh the run before: pages change, pipelines ask which items are the first with their content, and
the leader hands what is known of them to the next run. It needs nothing but the standard library of Python."""
import argparse, collections, random, sys

PARTS = 2
Item = collections.namedtuple('Item', 'run page content')    # content 0: the page is gone
Entry = collections.namedtuple('Entry', 'state content', defaults=('unknown', 0))   # what the next visit knows of a page


class Life:
    def __init__(s, seed, off):
        s.r, s.off, s.run, s.faults, s.quiet = random.Random(seed), off, 0, set(), False
        s.pages = range(s.r.randint(2, 5)); s.vanish = s.r.random() < .5; s.web = [s.some(1) for _ in s.pages]
        s.entries = {page: Entry() for page in s.pages}
        s.first, s.judged = collections.defaultdict(dict), collections.defaultdict(dict)   # of each run: content -> page, page -> (run, content)
        s.present, s.dropped, s.files, s.sink = {}, set(), [], []   # the last item of each page, and whether one was dropped since; what files and a sink
                                                              # that is behind have stored
    def some(s, least): return s.r.randint(least, 3)          # a content

    def leave(s, run, page):                                  # Redis: the page has its content no longer
        _, content = s.judged[run].pop(page)
        if s.first[run].get(content) == page: del s.first[run][content]
    def learn(s, i):                                          # Redis: is the item the first one with its content?
        run, key = i.run, (i.run if 'epoch' not in s.off else 0, i.content)
        if s.judged[run].get(i.page) != key:
            if i.page in s.judged[run] and 'leave' not in s.off: s.leave(run, i.page)
            if i.content: s.judged[run][i.page] = key; s.first[run].setdefault(i.content, i.page)
        elif 'stable' in s.off: s.first[run].setdefault(i.content, i.page)
        return not i.content or s.first[run].get(i.content) == i.page

    def promote(s, late):                                     # a leader may die before the run begins: the next one does all of it again
        visits = set(s.pages) if s.quiet or s.r.random() < .6 else {page for page in s.pages if s.r.random() < .6}
        for _ in range(s.r.choice((1, 1, 2, 3))):
            if 'keep' in s.off and s.r.random() < .2: s.forget(s.run - 1)
            if s.run - 1 in s.first and ('absent' in s.off or s.run not in s.first) and 'inherit' not in s.off:
                s.first[s.run], s.judged[s.run] = s.first.pop(s.run - 1), s.judged.pop(s.run - 1)
            for page, entry in s.entries.items():
                if entry.state == 'missing' and s.stands(page) and 'missing' not in s.off: s.leave(s.run, page)
            entries = {page: Entry() if s.again(page, entry) else entry for page, entry in s.entries.items()}
            for i in late: s.r.random() < .3 and s.learn(i)   # a zombie asks for the run before
        s.forget(s.run - 1); s.entries = entries; return visits
    def stands(s, page): return page in s.judged[s.run] and ('dropped' in s.off or s.first[s.run].get(s.judged[s.run][page][1]) == page)
    def again(s, page, entry):                                # its item was dropped, and no item has its content any more
        return entry.state == 'stored' and page in s.judged[s.run] and s.judged[s.run][page][1] not in s.first[s.run] and 'again' not in s.off
    def forget(s, run): s.first.pop(run, None); s.judged.pop(run, None)

    def visit(s, page):                                       # what the analyzer writes
        now, (state, known) = s.web[page], s.entries[page]
        if not s.quiet and s.r.random() < .1: return []       # a failure says nothing
        if now:
            s.entries[page] = Entry('stored', now); return [] if state in ('stored', 'missing') and known == now else [Item(s.run, page, now)]
        if state in ('stored', 'missing'): s.entries[page] = Entry('missing', known) if state == 'stored' else Entry('gone')
        return [Item(s.run, page, 0)] if state == 'missing' else []

    def life(s, late=()):                                     # of a run: visits and pipelines in any order. Returns its items
        s.run += 1; visits = s.promote(late) if s.run > 1 else set(s.pages)
        logs, done, asked, behind = [[] for _ in range(PARTS)], [0] * PARTS, [None] * PARTS, [0] * PARTS
        while visits or any(done[n] < len(log) or behind[n] < len(log) for n, log in enumerate(logs)):
            n, what = s.r.randrange(PARTS), s.r.random()
            if what < .15 and not s.quiet: s.web[s.r.choice(s.pages)] = s.some(not s.vanish)
            elif what < .4 and visits: page = s.r.choice(sorted(visits)); visits.remove(page); logs[page % PARTS] += s.visit(page)
            elif what < .6: batch = logs[n][done[n]:done[n] + s.r.randint(1, 3)]; asked[n] = [(i, s.learn(i)) for i in batch]
            elif what < .7: asked[n] = None                   # killed: the next owner asks again
            elif what < .85 and asked[n]:
                for i, verdict in asked[n]: s.store(i) if verdict else s.dropped.add(i.page)
                done[n] += len(asked[n]); asked[n] = None
            elif behind[n] < done[n]:                         # it reads again what files have
                i = logs[n][behind[n]]; behind[n] += 1; s.learn(i) and s.sink.append(i)
        if sorted(s.files) != sorted(s.sink): s.faults.add('SINKS')
        return [i for log in logs for i in log]
    def store(s, i):
        s.files.append(i); s.present[i.page] = i.content; s.dropped.discard(i.page)
        if not i.content: s.present.pop(i.page)

    def all(s, runs):
        late = []
        for _ in range(s.r.randint(1, runs)): late = s.life(late)
        s.quiet = True
        for _ in range(2): late = s.life(late)
        for content in set(s.web) - {0}:
            have = [page for page in s.pages if s.web[page] == s.present.get(page) == content]
            if not have: s.faults.add('LESS')
            if len(set(have) - s.dropped) > 1 and not s.vanish: s.faults.add('MORE')
        return s.faults


def main():
    a = argparse.ArgumentParser(description='rules (--off takes some away): leave = an item ends that its page has the content of before; again = a page whose '
                                'item was dropped is judged again when no item has its content; missing = a page that is missing has no content when the next '
                                'run begins; dropped = but it waits for one for which its item was dropped; stable = an item is judged once in a run; epoch = and once more in another run; inherit = a refresh knows what the '
                                'run before knows; absent = but no more when it has begun; keep = that is deleted only then. The exit status is 1 if any seed failed.')
    a.add_argument('--seeds', type=int, default=1000, help='number of lives'); a.add_argument('--from', dest='start', type=int, default=0, help='first seed')
    a.add_argument('--runs', type=int, default=6, help='most runs of a life while pages change')
    a.add_argument('--off', default=set(), type=lambda x: set(filter(None, x.split(',')))); o = a.parse_args()
    tally, bad = collections.Counter(), 0
    for seed in range(o.start, o.start + o.seeds):
        faults = Life(seed, o.off).all(o.runs); tally.update(faults); bad += bool(faults)
    print(f'unique   {" ".join(["off=" + ",".join(sorted(o.off))] * bool(o.off)):28} seeds {o.start}..{o.start + o.seeds - 1}  failing {bad}  {dict(tally)}', flush=True)
    sys.exit(bad > 0)
if __name__ == '__main__': main()
