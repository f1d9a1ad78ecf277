#!/usr/bin/env python3
"""A randomised simulator of the partitions of `ledger`: their number changes while runs begin and end, processes know `control`
late, and each reader reads the partitions in an order of its own. Leaders write snapshots of their sums and trim the log, readers begin anew with
them, snapshots are damaged, and Kafka loses the last records, or the definitions of runs, which are defined again. It needs nothing but the standard library of Python."""
import argparse, collections, random, sys

CRAWLS, WRITERS, READERS, MOST = 3, 3, 3, 4


class View:
    """What a process has read of control."""
    def __init__(v): v.at, v.count, v.former, v.runs, v.gone = 0, 2, [], {}, {}
    def read(v, control, n):
        for kind, *record in control[v.at:v.at + n]:
            if kind == 'channels': v.count, v.former = record
            elif kind == 'run': v.runs[record[0]] = record[1]
            else: v.gone[record[0]] = v.runs.pop(record[0])
        v.at = min(len(control), v.at + n)
    def partition(v, off, crawl, epoch):                      # that of the count under which the run began
        kept = [] if 'keep' in off else [count for count, last in v.former if last.get(crawl, 0) >= epoch]
        return crawl * 7 % (kept or [v.count])[0]


class Reader:
    def __init__(r, off): r.off, r.at, r.newest, r.runs, r.open, r.strange = off, collections.Counter(), {}, {}, {}, 0
    def read(r, log, partition):
        crawl, epoch, kind, of = log[partition][r.at[partition]]; r.at[partition] += 1
        place = crawl if 'place' in r.off else (partition, crawl)
        r.newest[place] = max(epoch, r.newest.get(place, 0))
        if epoch < r.newest[place]: return                    # written by a process that slept
        r.open[partition, crawl] = epoch
        if kind == 'close': del r.open[partition, crawl]; return
        emitted, answered = r.runs.setdefault((crawl, epoch), (set(), set()))
        if kind == 'emit': emitted.add(of)
        elif kind == 'answer':
            if of in emitted: answered.add(of)
            else: r.strange += 1                              # would be taken for a repetition
    def copied(r):
        other = Reader(r.off); other.at, other.newest, other.open = r.at.copy(), dict(r.newest), dict(r.open)
        other.runs = {run: (set(e), set(a)) for run, (e, a) in r.runs.items()}; return other
    def sums(r): return {run: (len(e), len(a)) for run, (e, a) in r.runs.items() if e}


class Sim:
    def __init__(s, seed, off):
        s.r, s.off = random.Random(seed), off
        s.control, s.log, s.leader = [], collections.defaultdict(list), View()
        s.emitted, s.answered, s.ids, s.faults = collections.defaultdict(set), collections.defaultdict(set), 0, set()
        s.listed = None                                       # the runs that a change of the count has found
        s.start, s.slots, s.cuts = collections.Counter(), {}, []    # where logs begin; the two snapshots; the losses in Kafka
        s.term, s.lossy = 0, s.r.random() < .4                # the leader that may write snapshots
        s.begun, s.noted, s.lives = set(), {}, 0              # all runs; what Redis knows of them; how often all processes have started again
    def write(s, record): s.control.append(record); s.leader.read(s.control, 9)

    def begin(s, crawl, newest=0):
        old = s.leader.runs.get(crawl)
        before = s.leader.partition(s.off, crawl, old) if old else None
        s.write(('run', crawl, max(old or s.leader.gone.get(crawl, 0), newest) + 1)); new = s.leader.runs[crawl]
        if (crawl, new) in s.begun: s.faults.add('a run comes again'); s.emitted[crawl, new], s.answered[crawl, new] = set(), set()
        s.begun.add((crawl, new)); s.noted[crawl] = new       # after the transaction
        if old and 'close' not in s.off:
            s.log[before].append((crawl, new, 'close', None))   # in the transaction that begins the run
        s.ids += 1; s.emitted[crawl, new].add(s.ids); s.log[s.leader.partition(s.off, crawl, new)].append((crawl, new, 'emit', s.ids))   # its seed
    def redefine(s):                                          # Kafka loses the last definitions, and the crawls are defined again at once
        lost = set()
        while len(s.control) > 1 and s.control[-1][0] == 'run' and s.r.random() < .8: lost.add(s.control.pop()[1])
        s.leader = View(); s.leader.read(s.control, len(s.control)); s.lives += 1
        counted, _ = s.fresh()                                # a leader has counted the ledger before it leads
        for partition in s.log:
            while counted.at[partition] < len(s.log[partition]): counted.read(s.log, partition)
        for crawl in sorted(lost):
            known = [] if 'count' in s.off else [e for c, e in counted.runs if c == crawl]
            s.begin(crawl, max(known + [0 if 'note' in s.off else s.noted.get(crawl, 0)], default=0))
    def delete(s):
        if not s.leader.runs: return
        crawl, epoch = s.r.choice(sorted(s.leader.runs.items()))
        s.log[s.leader.partition(s.off, crawl, epoch)].append((crawl, epoch + 1, 'close', None))
        s.write(('deleted', crawl))
    def change(s):
        runs = s.leader.gone | s.leader.runs                  # deleted ones, too: a process that slept may know one yet
        if 'serial' in s.off:                                 # a run may begin between the list and the record
            if s.listed is None: s.listed = runs; return
            runs, s.listed = s.listed, None
        rest = {c: e for c, e in runs.items() if not any(last.get(c, 0) >= e for _, last in s.leader.former)}
        s.write(('channels', s.r.randint(1, MOST), s.leader.former + [(s.leader.count, rest)]))

    def writer(s, view):                                      # one transaction at a time; it may sleep in it
        life = s.lives
        while True:
            if life != s.lives: view.__init__(); life = s.lives   # started again, after its transaction of before
            view.read(s.control, s.r.randint(0, 3)); yield
            known = [(c, e) for c, e in sorted(view.runs.items())]
            if not known: continue
            run = s.r.choice(known); waiting = sorted(s.emitted[run] - s.answered[run])
            for _ in range(s.r.choice((0, 0, 1, 40))): yield
            if life == s.lives: view.read(s.control, s.r.randint(0, 3))   # it may learn meanwhile that the run is over
            partition = view.partition(s.off, *run)
            if waiting and s.r.random() < .6: kind, of = 'answer', s.r.choice(waiting); s.answered[run].add(of)
            else: s.ids += 1; kind, of = 'emit', s.ids; s.emitted[run].add(of)
            s.log[partition].append((*run, kind, of)); yield

    def finished(s, reader):                                  # the ends are noted, then the reader is awaited
        ends = {p: len(log) for p, log in s.log.items()}
        run = s.r.choice(sorted(s.leader.runs.items())) if s.leader.runs else None
        open_now = run and len(s.emitted[run] - s.answered[run])
        for partition in s.r.sample(sorted(ends), len(ends)):
            while reader.at[partition] < ends[partition]: reader.read(s.log, partition)
        emitted, answered = reader.runs.get(run, (set(), set()))
        if run and open_now and not emitted - answered: s.faults.add('finished early')

    def limit(s, partition, losses):                          # what a snapshot may have counted that knew so many losses
        return min([cut.get(partition, 1e9) for cut in s.cuts[losses:]], default=1e9)
    def valid(s, snapshot):
        number, reader, losses, whole = snapshot
        return whole and all(at <= ('cuts' in s.off and 1e9 or s.limit(p, losses)) and s.start[p] <= at <= len(s.log[p])
                             for p, at in reader.at.items()) and all(p in reader.at for p in s.start if s.start[p])
    def fresh(s):                                             # a coordinator that starts, or that finds the log begin behind its position
        found = max((snapshot for snapshot in s.slots.values() if s.valid(snapshot)), key=lambda x: x[0], default=None)
        if found: return found[1].copied(), found[0]
        if any(s.start.values()): s.faults.add('the ledger cannot be summed')
        return Reader(s.off), 0
    def leading(s, readers, n):                               # a term: it writes snapshots until it is killed, or wakes after another one
        s.term += 1; term = s.term; readers[n], known = s.fresh(); reader = readers[n]
        while True:
            while not reader.at: yield
            if readers[n] is not reader: return               # the process began anew
            losses, taken = len(s.cuts), reader.copied()      # no process lives through a loss
            for _ in range(s.r.choice((0, 0, 3, 12))): yield
            before = s.slots.get(known % 2)
            if 'commit' in s.off: s.trim(taken, losses)       # before the snapshot is there
            if s.r.random() < .2: return                      # killed before the commit
            if 'fence' not in s.off and term != s.term: return   # another leader's producer
            if losses != len(s.cuts): return
            known += 1; s.slots[known % 2] = known, taken, losses, s.damaged() or s.r.random() > .2
            for _ in range(s.r.choice((0, 0, 3, 12))): yield
            if s.r.random() < .2: return                      # killed before it trims
            if 'two' in s.off: s.trim(taken, losses)
            elif before: s.trim(before[1], before[2])
            yield
    def damaged(s): return s.lossy or any(not whole for *_, whole in s.slots.values())     # one fault at a time
    def trim(s, reader, losses):
        if losses != len(s.cuts): return                      # a log is shorter than noted: nothing is deleted
        for partition, at in reader.at.items(): s.start[partition] = max(s.start[partition], at)
    def lose(s, readers):                                     # Kafka loses the last records; all processes start again
        older = min(s.slots.values(), key=lambda x: x[0], default=None)     # snapshots are far from each other: the last one's may be lost
        s.cuts.append({p: max(older[1].at[p] if older else 0, len(log) - s.r.randint(0, 4)) for p, log in s.log.items() if s.r.random() < .6})
        for p, end in s.cuts[-1].items(): del s.log[p][end:]
        for i in range(len(readers)): readers[i] = s.fresh()[0]

    def run(s, steps):
        s.begin(s.r.randrange(CRAWLS)); readers = [Reader(s.off) for _ in range(READERS)]
        writers = [s.writer(View()) for _ in range(WRITERS)]; terms = []
        for _ in range(steps):
            x = s.r.random()
            if x < .02: s.begin(s.r.randrange(CRAWLS))
            elif x < .03: s.change()
            elif x < .035: s.delete()
            elif x < .05: s.finished(readers[0]) if not s.cuts else None
            elif x < .053: terms = terms[-1:] + [s.leading(readers, s.r.randrange(READERS))]
            elif x < .15 and terms: next(s.r.choice(terms), None)
            elif x < .153:
                n = s.r.randrange(READERS); readers[n] = s.fresh()[0]
            elif x < .155 and s.lossy: s.lose(readers); s.redefine(); terms = []
            elif x < .157 and not s.lossy: s.redefine()
            elif x < .16 and not s.lossy: s.noted.clear()     # Redis loses all; not beside losses in the ledger
            elif x < .6: next(s.r.choice(writers))
            else:
                reader = s.r.choice(readers); some = [p for p, log in s.log.items() if reader.at[p] < len(log)]
                if any(reader.at[p] < s.start[p] for p in s.log):
                    n = readers.index(reader); readers[n] = s.fresh()[0]
                elif some: reader.read(s.log, s.r.choice(some))
        whole = Reader(s.off)                                 # as if nothing was ever deleted
        for reader in readers + [whole]:
            if reader is not whole and any(reader.at[p] < s.start[p] for p in s.log): readers[readers.index(reader)] = reader = s.fresh()[0]
            for partition in s.r.sample(sorted(s.log), len(s.log)):
                while reader.at[partition] < len(s.log[partition]): reader.read(s.log, partition)
        for run in s.leader.runs.items() if not s.cuts else ():
            if any(reader.sums().get(run, (0, 0)) != (len(s.emitted[run]), len(s.answered[run])) for reader in readers):
                s.faults.add('a record of a present run does not count')
        if any(reader.sums() != whole.sums() for reader in readers): s.faults.add('readers differ')
        if s.cuts: return s.faults                            # what is lost is mended by other rules: sim.py --kafka
        if any(epoch != s.leader.runs.get(crawl) for reader in readers for (_, crawl), epoch in reader.open.items()):
            s.faults.add('a run that is over stays open')
        if any(reader.strange for reader in readers): s.faults.add('an answer before its request')
        return s.faults


def main():
    a = argparse.ArgumentParser(description=__doc__, epilog='--off takes rules away: keep = a run keeps the count under which it began; close = a run '
                                'that begins closes the one before in its partition; place = a newer run closes an older one in its own '
                                'partition only; serial = no run begins between the list of runs and its record; '
                                'two = the log is trimmed below the snapshot before the last; commit = it is trimmed after the commit; fence = another leader\'s '
                                'snapshots are refused; cuts = a snapshot counts no record that Kafka has lost; count, note = a crawl whose '
                                'definition is lost begins above its runs in the ledger, and above those that Redis knows. The exit status is 1 if any seed failed.')
    a.add_argument('--seeds', type=int, default=1000, help='number of runs'); a.add_argument('--from', dest='start', type=int, default=0, help='first seed')
    a.add_argument('--steps', type=int, default=1500, help='length of a run')
    a.add_argument('--off', default=set(), type=lambda x: set(filter(None, x.split(',')))); o = a.parse_args()
    tally, bad = collections.Counter(), 0
    for seed in range(o.start, o.start + o.seeds):
        faults = Sim(seed, o.off).run(o.steps); tally.update(faults); bad += bool(faults)
    print(f'ledger   {"off=" + ",".join(sorted(o.off)) if o.off else "":28} seeds {o.start}..{o.start + o.seeds - 1}  failing {bad}  {dict(tally)}', flush=True)
    sys.exit(bad > 0)
if __name__ == '__main__': main()
