#!/usr/bin/env python3
"""A randomised simulator of runs that refresh the run before: analyzers write the next visit of each page to `visits`, a leader promotes the
visits of a run to requests of the next one, and pages change meanwhile. It needs nothing but the standard library of Python."""
import argparse, collections, random, sys

CRAWLS, PARTS, INF = 2, 2, 10 ** 9
WINDOW, MARGIN = 60, 80                                       # in steps: what a loss takes, and how long what is handled is kept
ENDED = 'finished', 'limited'
class Fenced(Exception): pass                                 # another has taken the place of this process
Run = collections.namedtuple('Run', 'epoch state source since ends of own by part plain', defaults=(None, False))   # its source's visits are between since
                                                              # and ends, and of those carried into it that promotion counts which is named of; its own
                                                              # begin at own, and by says which promotion counts; it visits the pages of its part, or
                                                              # all (None); plain: Kafka has lost visits of its source, so none is conditional
# entry: what was told of the page; visit: of which run, or None; carried: by which promotion, which is the place where its records begin;
# asked: whether a seed has asked for the page since its last visit: 'mark' in a record that is no visit and says only that; 'near' in one that
# says only at which depth a link leads to the page; whole: whether the visit is not conditional
Request = collections.namedtuple('Request', 'crawl epoch page id entry visit carried asked depth whole', defaults=(None, None, 0, False))
Answer = collections.namedtuple('Answer', 'request kind state loss', defaults=(0,))   # which losses of Kafka its downloader knew
def least(a, b): return tuple(map(min, a, b))
class Txn:
    def __init__(t): t.state, t.logs, t.marked, t.offsets, t.over = 'open', set(), set(), {}, 0


class Kafka:
    def __init__(k): k.logs, k.start, k.stable, k.txns, k.names, k.offsets, k.now, k.at, k.decided = collections.defaultdict(list), collections.Counter(), collections.Counter(), [], {}, {}, 0, collections.defaultdict(list), []
    def begin(k): k.txns.append(Txn()); return k.txns[-1]
    def append(k, log, value, t=None):
        if t and t.state != 'open': raise Fenced
        k.logs[log].append((value, t)); k.at[log].append(k.now); t and t.logs.add(log); return len(k.logs[log]) - 1
    def end(k, t, ok=True):
        if t.state != 'open': raise Fenced
        t.state, t.over = 'committed' if ok else 'aborted', k.now; ok and k.offsets.update(t.offsets); k.decided.append(t); k.mark(t)
    def abort(k, t): t and t.state == 'open' and k.end(t, False)
    def mark(k, t, *logs):                                    # these logs get the marker: only now their readers see the transaction
        t.marked.update(logs)
        if t.marked >= t.logs and t in k.txns: k.txns.remove(t)
    def init(k, name, off):                                   # fences the former producer of that name, and completes its transactions
        for t in k.names.get(name, ()) if 'fence' not in off else (): k.abort(t); k.mark(t, *t.logs)
        k.names[name] = []; return k.names[name]
    def cut(k, log, now):                                     # the records that were written since are lost; the first lost offset
        n = sum(at <= now for at in k.at[log]); del k.logs[log][n:], k.at[log][n:]
        k.start[log], k.stable[log] = min(k.start[log], n), min(k.stable[log], n); return n
    def back(k, now):                                         # the broker forgets what it has decided since; what hangs is aborted
        for t in [t for t in k.txns if t.state == 'open'] + [t for t in k.decided if t.over > now]: t.state = 'aborted'
        for t in k.txns: t.marked |= t.logs
        k.txns.clear(); k.decided.clear()
    def lso(k, log):
        records, at = k.logs[log], k.stable[log]
        while at < len(records) and not ((t := records[at][1]) and log not in t.marked): at += 1
        k.stable[log] = at; return at
    def committed(k, log, at=0, end=INF): return [(o, v) for o, (v, t) in enumerate(k.logs[log][at:end], at) if not t or t.state == 'committed']
    def read(k, log, at=0, end=INF): return k.committed(log, max(at, k.start[log]), min(k.lso(log), end))


class Redis(dict):
    def __init__(r): r.undo = []
    def put(r, key, value): r.undo.append((key, r.get(key))); r[key] = value
    def facts(r, of): return r.get((of.crawl, of.epoch, of.page), (INF, INF, (INF, INF)))   # the smallest depth of a committed request, the first
                                                              # response, and the smallest depth of a response with its offset
    def learn(r, of, known=INF, first=INF):                   # returns what was known before
        before = r.facts(of); new = known, first, (of.depth if first < INF else INF, first)
        r.put((of.crawl, of.epoch, of.page), tuple(map(min, before, new))); return before
    def nearest(r, of): facts = r.facts(of); return min(facts[0], facts[2][0])
    def lose(r, n):
        for key, value in [r.undo.pop() for _ in range(min(n, len(r.undo)))]: r.pop(key) if value is None else dict.__setitem__(r, key, value)


class Proc:
    def __init__(p, kind): p.kind, p.version, p.at, p.runs, p.sleep, p.zombie, p.txn, p.child, p.mine, p.promoted = kind, 0, 0, {}, 0, False, None, None, None, None
    def look(p, control, n=INF):                              # reads control, maybe late
        for version, crawl, run in control[p.at:p.at + n]:
            if version > p.version: p.version, p.runs[crawl] = version, run
        p.at = min(len(control), p.at + n)
    def state(p, control, of):                                # of a run; it may be over
        if of.crawl not in p.runs or p.runs[of.crawl].epoch < of.epoch: p.look(control)
        run = p.runs.get(of.crawl); return run.state if run and run.epoch == of.epoch and run.state != 'deleted' else 'over'


class Sim:
    def __init__(s, seed, off, deep=False, kafka=0):
        s.r = r = random.Random(seed); s.off, s.k, s.redis, s.control, s.faults = off, Kafka(), Redis(), [], set()
        s.lossy, s.lost, s.quiet, s.ids, s.web = r.random() < .5, False, False, 0, [1] * r.randint(3, 6)
        s.links = [[[r.randrange(len(s.web)) for _ in range(r.randint(0, 2))] * (v > 0) for v in range(4)] for _ in s.web]   # of each version; 0 is gone
        s.deep, s.depths = deep, [r.choice((INF, 2, 3)) if deep else INF for _ in range(CRAWLS)]   # depths are compared, and have limits
        s.chain = deep and r.random() < .5                    # each page leads to the next one, and one version of it further; none is ever gone
        if s.chain: s.web = [1] * 7; s.links = [[[(page + 1) % 7] * (v > 0) + [r.randrange(page, 7)] * (v > 2) for v in range(4)] for page in range(7)]
        s.limits, s.seeds = [r.choice((INF, INF, 2)) for _ in range(CRAWLS)], [{0, r.randrange(1 if s.chain else len(s.web))} for _ in range(CRAWLS)]
        s.procs, s.owners, s.serial, s.orphans, s.due, s.places = [], {}, 0, [], {}, {}
        s.kafka, s.kafka_lives, s.emptied, s.lost_at, s.stamps, s.losses, s.unseen, s.repaired, s.newest, s.begun, s.over, s.looks, s.left, s.again = kafka, kafka, False, 0, [], [], None, 0, {}, {}, {}, [], {}, set()
        for kind in 'LDDAA': s.spawn(kind)
        s.assign()
    def spawn(s, kind, *args):
        p = Proc(kind); p.steps = {'L': s.leader, 'D': s.downloader, 'A': s.analyzer, 'P': s.promoter}[kind](p, *args); p.look(s.control); s.procs.append(p); return p
    def assign(s, move=0):
        for kind, topic in (('D', 'requests'), ('A', 'responses')):
            live = [p for p in s.procs if p.kind == kind and not p.zombie]
            for log in [(topic, part) for part in range(PARTS)]:
                if s.owners.get(log, (None,))[0] not in live or s.r.random() < move: s.serial += 1; s.owners[log] = s.r.choice(live), s.serial
    def id(s): s.ids += 1; return s.ids
    def begin(s, p):                                          # a fenced producer begins no transaction
        if p.mine is not None and 'fence' not in s.off and all(p.mine is not mine for mine in s.k.names.values()): raise Fenced
        p.txn = s.k.begin(); p.mine is not None and p.mine.append(p.txn); return p.txn
    def send(s, topic, r, t=None): s.k.append((topic, r.page % PARTS), r, t)
    def ledger(s, crawl, epoch, records):                     # the ids that wait, and the pages that count
        emitted, answered, pages = [set().union(*[v[i] for _, v in records if v[:2] == (crawl, epoch)]) for i in (2, 3, 4)]
        return emitted - answered, pages

    def downloader(s, p):
        while True:
            yield
            log = 'requests', s.r.randrange(PARTS); waiting = [x for x in s.k.read(log) if (log, x[0]) not in s.redis]
            if s.owners[log][0] is not p or not waiting: continue
            o, r = s.r.choice(waiting[:6]); yield             # in any order: two requests of a page may have different priorities
            p.look(s.control, s.r.randint(0, 2)); state = p.state(s.control, r); answer = Answer(r, 'duplicate', None)
            if state == 'over': s.redis.put((log, o), 1)
            if state != 'started': continue
            if s.redis.facts(r)[2][0] > r.depth:
                if not s.permit(r): continue
                yield; now = s.web[r.page]
                if 'keeps' in s.off or not s.refreshes(p, r): r = r._replace(depth=min(r.depth, s.redis.facts(r)[0]))   # a visit keeps its depth
                answer = Answer(r, 'page', now)
                if not s.quiet and s.r.random() < .1: answer = Answer(r, 'failure', None)
                elif not r.whole and not s.plain(p, r) and r.entry == now and (s.deep and s.quiet or s.r.random() < .8): answer = Answer(r, 'same', None)
                for _ in range(s.r.choice((0, 0, 1, 20))): yield
            at = s.k.append(('responses', r.page % PARTS), answer._replace(loss=len(s.losses))); yield
            if answer.kind != 'duplicate': s.redis.learn(r, first=at); yield
            s.redis.put((log, o), 1)
    def plain(s, p, of): run = p.runs.get(of.crawl); return run and run.epoch == of.epoch and run.plain
    def permit(s, r):                                         # until the ledger has counted the answer
        if s.limits[r.crawl] == INF: return True
        waiting, pages = s.ledger(r.crawl, r.epoch, s.k.committed('ledger'))
        if len(pages) + sum(('permit', id) in s.redis for id in waiting - {r.id}) >= s.limits[r.crawl]: return False
        s.redis.put(('permit', r.id), 1); return True

    def analyzer(s, p):
        while True:
            try: yield from s.batches(p)
            except Fenced:
                s.k.abort(p.txn)
                if p.zombie: return
    def batches(s, p):
        while True:
            yield
            log = 'responses', s.r.randrange(PARTS); owner = s.owners[log]
            if owner[0] is not p or any((len(s.losses), log) in t.offsets for t in s.k.txns): continue   # the offset is not stable yet
            batch = s.k.read(log, s.k.offsets.get((len(s.losses), log), 0))[:s.r.randint(1, 3)]; yield
            if not batch: continue
            p.look(s.control, s.r.randint(0, 2)); answers = [(o, a) for o, a in batch if p.state(s.control, a.request) != 'over']
            known = [(o, a, s.redis.learn(a.request, first=o) if a.kind != 'duplicate' else (0, 0, (0, 0))) for o, a in answers]; yield
            judged = [(a, before[1] >= o, before[2][0] > a.request.depth or before[2][1] >= o) for o, a, before in known]
            visits = [a.request._replace(id=s.id(), entry=a.state if a.kind == 'page' else a.request.entry, carried=None, whole=a.kind == 'failure')
                      for a, stored, _ in judged if stored or 'stored' in s.off and a.kind != 'duplicate']
            visits += [a.request._replace(id=s.id(), asked='near', entry=None, visit=None, carried=None) for a, stored, follows in judged if follows and not stored]
            for v in visits if 'before' in s.off else (): s.send('visits', v); yield
            t, emitted = s.begin(p), []
            for a, stored, follows in judged:
                if a.kind == 'duplicate' and a.loss < len(s.losses): s.send('requests', a.request, t); yield; continue   # the answer that it repeats may be lost
                r, new = a.request, set()
                for e in [Request(*r[:2], page, s.id(), None, None, depth=r.depth + s.deep) for page in (s.links[r.page][a.state or 0] if follows else ())]:
                    nearest = min([s.redis.nearest(e)] + [x.depth for x in emitted if x[:3] == e[:3]])
                    if e.depth > s.depths[e.crawl] or e.depth >= nearest: continue
                    if s.refreshes(p, e) and nearest < INF:   # a request would fetch it without its entry
                        if 'near' in s.off: continue
                        e = e._replace(asked='near'); s.send('visits', e, t)
                    else: new.add(e.id); s.send('requests', e, t)
                    emitted.append(e); yield
                if stored: s.k.append('stored', a, t)         # its item if it is a change, and all that counts it
                yield; s.k.append('ledger', r[:2] + (new, {r.id}, {r.page} if stored and (a.kind == 'same' or a.state) else set()), t)
            for v in visits if not {'before', 'after'} & s.off else (): yield; s.send('visits', v, t)
            if s.owners[log] != owner: raise Fenced
            t.offsets[len(s.losses), log] = batch[-1][0] + 1; yield
            s.k.end(t); p.txn = None; yield
            for v in visits if 'after' in s.off else (): s.send('visits', v); yield
            for e in emitted: s.redis.learn(e, known=e.depth); yield
    def refreshes(s, p, of): run = p.runs.get(of.crawl); return run and run.epoch == of.epoch and run.source is not None

    def leader(s, p):
        p.mine = s.k.init('leader', s.off); p.look(s.control)
        while True:
            yield; crawl = s.r.randrange(CRAWLS); run = p.runs.get(crawl)
            if s.repaired < len(s.losses) and s.r.random() < .5: yield from s.repair(p)
            elif s.r.random() < .1: yield from s.trim(p)
            elif not run or run.state == 'deleted': yield from s.next(p, crawl, run, False)
            elif not s.quiet and s.r.random() < .003: s.write(p, crawl, run._replace(state='deleted'))
            elif run.state == 'promoting': yield from s.start(p, crawl, run)
            elif not s.quiet and s.r.random() < .02: yield from s.ask(p, crawl, run)
            elif run.state == 'started': yield from s.finish(p, crawl, run)
            elif s.quiet or s.r.random() < (.6 if s.kafka_lives else .1):
                yield from s.next(p, crawl, run, (run.state == 'finished' or run.source is None or 'limit' in s.off) and (s.quiet or s.r.random() < .9))
    def write(s, p, crawl, run):
        if s.k.names['leader'] is not p.mine and 'fence' not in s.off: raise Fenced
        p.version += 1; p.runs[crawl] = run; s.control.append((p.version, crawl, run)); s.stamps.append(s.k.now); s.newest[crawl] = max(run.epoch, s.newest.get(crawl, 0))
        if run.state in ENDED: s.over[crawl, run.epoch] = s.k.now
    def ask(s, p, crawl, run):                                # a seed of a page that the run knows
        mark = Request(crawl, run.epoch, s.r.randrange(len(s.web)), s.id(), None, None, None, 'mark'); yield
        if s.redis.facts(mark)[0] < INF: t = s.begin(p); s.send('visits', mark, t); yield; s.k.end(t); p.txn = None
    def next(s, p, crawl, run, refresh):
        if refresh and s.repaired < len(s.losses) and 'repair' not in s.off: return
        epoch = run.epoch if run else 0; due = s.known(crawl, epoch) if refresh else set()
        logs = [('visits', part) for part in range(PARTS)]; ends = tuple(s.k.lso(log) if 'ends' in s.off else len(s.k.logs[log]) for log in logs); yield
        if refresh and run.state == 'finished' and 'open' not in s.off:   # does a link wait that was found with a visit below the ends?
            sums = all(s.k.lso(log) >= end for log, end in zip(logs, ends)) and (yield from s.sums(crawl, run))
            if sums and sums[0]: s.write(p, crawl, run._replace(state='started'))
            if not sums or sums[0]: return
        part = frozenset(page for page in range(len(s.web)) if s.r.random() < .5) if refresh and not s.quiet and s.r.random() < .5 else None
        next = 1 + max(epoch, s.newest.get(crawl, 0)); s.due[crawl, next] = due   # the note outlives what Kafka loses
        s.write(p, crawl, Run(next, 'promoting', epoch if refresh else None, run.own if refresh else ends, ends, run.by if refresh else None, ends, None, part))
    def sums(s, crawl, run):                                  # by the ledger up to the end that is noted now, or None yet
        end = len(s.k.logs['ledger']); yield
        return s.ledger(crawl, run.epoch, s.k.read('ledger', 0, end)) if s.k.lso('ledger') >= end else None
    def start(s, p, crawl, run):
        if run.source is not None and (not p.promoted or p.promoted[:2] != (crawl, run.epoch)):
            if p.child not in s.procs: p.child = s.spawn('P', p, crawl, run)   # one at a time
            if 'start' not in s.off: return
        by = p.promoted[2] if run.source is not None and p.promoted else None
        emitted = yield from s.seed(p, crawl, run)
        s.begun[crawl, run.epoch] = s.k.now; s.write(p, crawl, run._replace(state='started', own=by if by and 'keep' in s.off else run.own, by=by)); yield
        for e in emitted: s.redis.learn(e, known=e.depth); yield
    def seed(s, p, crawl, run):
        t, emitted = s.begin(p), []; yield
        for e in [Request(crawl, run.epoch, page, s.id(), None, None) for page in s.seeds[crawl]]:
            if s.redis.nearest(e) == INF or run.source is None and s.redis.nearest(e): emitted.append(e); s.send('requests', e, t); yield
        s.k.append('ledger', (crawl, run.epoch, {e.id for e in emitted}, set(), set()), t); yield
        s.k.end(t); p.txn = None; return emitted
    def finish(s, p, crawl, run):
        sums = yield from s.sums(crawl, run)
        if s.unseen or s.repaired < len(s.losses) and 'repair' not in s.off: return
        if not sums or sums[0] and len(sums[1]) < s.limits[crawl]: return
        s.write(p, crawl, run._replace(state='limited' if sums[0] else 'finished'))
        s.fault('EARLY', not sums[0] and not run.plain and s.chosen(crawl, run) - s.stored(crawl, run.epoch))
    def lower(s, p):                                          # what is written to visits from now on stands where it was cut
        cut = tuple(s.losses[-1].get(('visits', part), INF) for part in range(PARTS))
        for crawl, run in list(p.runs.items()):
            now = run._replace(own=run.own if 'low' in s.off else least(run.own, cut), ends=least(run.ends, cut))
            recent = run.state not in ENDED or s.over.get((crawl, run.epoch), 0) >= s.lost_at - MARGIN
            if run.source is not None and recent and any(map(int.__ge__, run.ends, cut)) and 'plain' not in s.off:
                now = now._replace(plain=True, state='started' if run.state in ENDED else run.state)   # pages that are lost are found again by links
            if now != run and run.state != 'deleted': s.write(p, crawl, now)
    def repair(s, p):
        gen = len(s.losses)
        for crawl, run in list(p.runs.items()):
            recent = run.state not in ENDED or s.over.get((crawl, run.epoch), 0) >= s.lost_at - MARGIN
            if run.source is not None and run.state not in ('promoting', 'deleted') and recent and (crawl, run.epoch, gen) not in s.again and 'again' not in s.off and (
                    'there' in s.off or all(s.k.start['visits', part] <= run.since[part] for part in range(PARTS))):   # else it ended long ago, and goes on
                if not p.promoted or p.promoted[:2] != (crawl, run.epoch):
                    if p.child not in s.procs: p.child = s.spawn('P', p, crawl, run)
                    return
                s.write(p, crawl, run._replace(by=run.by if 'by' in s.off else p.promoted[2]))
                s.again.add((crawl, run.epoch, gen)); p.promoted = None; yield
            if s.begun.get((crawl, run.epoch), -INF) >= s.lost_at - MARGIN and (crawl, run.epoch, gen, 'seeds') not in s.again and run.state != 'promoting':
                s.again.add((crawl, run.epoch, gen, 'seeds')); emitted = yield from s.seed(p, crawl, run)   # its seeds are handled again
                for e in emitted: s.redis.learn(e, known=e.depth); yield
        if 'early' not in s.off and any(run.source is not None and run.state == 'promoting' for run in p.runs.values()): return   # their requests come again
        if any(max(s.k.start[log], s.k.offsets.get((gen, log), 0)) < end for log, end in s.left.items()): return
        end = len(s.k.logs['ledger']); yield
        if s.k.lso('ledger') < end or any(s.k.lso((topic, part)) < len(s.k.logs[topic, part]) for topic in ('requests', 'responses') for part in range(PARTS)): return
        there = {r.id for part in range(PARTS) for _, r in s.k.read(('requests', part))} | {a.request.id for part in range(PARTS) for _, a in s.k.read(('responses', part)) if a.kind != 'duplicate' or a.loss == gen}
        for crawl, run in p.runs.items():
            lost = s.ledger(crawl, run.epoch, s.k.read('ledger', 0, end))[0] - there
            s.k.append('ledger', (crawl, run.epoch, set(), lost, set()))
        s.repaired = gen
    def trim(s, p):                                           # one look later: Kafka may lose what has ended the need
        needed = [run.own if run.state in ENDED or run.source is None or 'trim' in s.off else least(run.own, run.since) for run in p.runs.values() if run.state != 'deleted']; yield
        gen = len(s.losses)
        if s.unseen is not None or s.repaired < gen: return
        look = {('visits', part): (max if 'trim' in s.off else min)(at[part] for at in needed) for part in range(PARTS) if needed}
        if s.kafka_lives:
            for part in range(PARTS):
                look['responses', part] = s.k.offsets.get((gen, ('responses', part)), 0); log = 'requests', part
                look[log] = next((o for o, _ in s.k.read(log) if (log, o) not in s.redis), s.k.lso(log))
        s.looks.append((s.k.now, gen, look))
        for at, loss, look in s.looks:
            if loss == gen and (at <= s.k.now - MARGIN or not s.kafka_lives or 'margin' in s.off):
                for log, o in look.items(): s.k.start[log] = max(s.k.start[log], min(o, len(s.k.logs[log])))
        s.looks = [x for x in s.looks if x[0] > s.k.now - MARGIN and x[1] == gen]
    def promoter(s, p, leader, crawl, run):                   # it begins at the start, whatever a former one has promoted
        p.mine = s.k.init('promoter', s.off); mine = lambda v: v[:2] == (crawl, run.source) and ('own' in s.off or v.carried in (None, run.of))
        own = tuple(len(s.k.logs['visits', part]) for part in range(PARTS))   # behind what former ones have carried
        asked, near = set(), {}
        for log in [('visits', part) for part in range(PARTS)]:
            at = run.since[log[1]]
            while at < run.ends[log[1]]:
                yield; upto = min(run.ends[log[1]], s.k.lso(log)); said = [v for _, v in s.k.read(log, at, upto) if mine(v) and v.asked]; at = max(at, upto)
                asked |= {v.page for v in said if v.asked != 'near'}
                for v in said: near[v.page] = min(near.get(v.page, INF), v.depth if v.asked == 'near' else INF)
        for log in [('visits', part) for part in range(PARTS)]:
            at, end = s.places.get((crawl, run, log), run.since[log[1]]), run.ends[log[1]]
            while at < end:
                yield; upto = min(end, s.k.lso(log), at + s.r.randint(1, 3)); found = [v for _, v in s.k.read(log, at, upto) if (mine(v) or 'run' in s.off) and v.asked not in ('mark', 'near')]
                if s.k.names['leader'] is leader.mine and leader.runs[crawl] == run:
                    s.fault('TRIMMED', any(mine(v) for _, v in s.k.committed(log, at, min(upto, s.k.start[log]))))
                found, at = [v._replace(crawl=crawl, epoch=run.epoch, id=s.id() if 'sameid' in s.off else v.id, visit=v[:2], asked=None, depth=min(v.depth, near.get(v.page, INF)),
                                              whole=v.whole or run.plain or near.get(v.page, INF) < v.depth and 'whole' not in s.off) for v in found], max(at, upto)
                if not found: continue
                for v in found if 'known' not in s.off else (): s.redis.learn(v, known=v.depth); yield
                visited = [v for v in found if run.part is None or v.page in run.part or v.page in asked and s.due_only(run)]
                t = s.begin(p)
                for v in visited: s.send('requests', v, t); yield
                for v in found if 'carry' not in s.off else (): v in visited or s.send('visits', v._replace(visit=None, carried=own, asked=v.page in asked and 'asked' not in s.off or None), t); yield
                if 'emitted' not in s.off: s.k.append('ledger', (crawl, run.epoch, {v.id for v in visited}, set(), set()), t); yield
                s.k.end(t); p.txn = None
                if 'known' in s.off: s.places[crawl, run, log] = at   # the next one goes on here, and does not announce these any more
                for v in found if 'known' in s.off else (): yield; s.redis.learn(v, known=v.depth)
        leader.promoted = crawl, run.epoch, own

    def chaos(s):
        p, x = s.r.choice(s.r.choice((s.procs, [p for p in s.procs if p.kind in 'LP']))), s.r.random()
        if x < .15 and s.lossy: s.redis.lose(s.r.choice((s.r.randint(1, 12), s.r.randint(1, 40), INF))); s.lost = s.emptied = True
        elif x < .3: s.assign(.5)
        elif x < .6: s.end(p)                                 # kill -9: its transaction is open until the time-out
        elif not p.zombie and p.kind != 'P':
            p.zombie, p.sleep = True, s.r.randint(0, 300); s.spawn(p.kind); s.assign()
            if p.child: p.child.sleep = s.r.randint(0, p.sleep)
    def lose(s):                                              # the last records of all logs or of one topic, while the processes live; what is stored is in files
        if s.unseen is not None: return
        now, alone = max(0, s.k.now - s.r.randint(1, WINDOW)), s.r.choice([None, None, 'requests', 'responses', 'ledger'] + ['visits'] * 5)
        ends = {log: len(s.k.logs[log]) for log in list(s.k.logs) if log != 'stored' and alone in (None, log[0], log)}
        cut = {log: at for log, at in ((log, s.k.cut(log, now)) for log in ends) if at < ends[log]}
        if not cut: return
        s.kafka -= 1; s.unseen, s.lost, s.lost_at = cut, True, s.k.now
        if alone is None: n = sum(at <= now for at in s.stamps); del s.control[n:], s.stamps[n:]; s.k.back(now)
    def detect(s):                                            # every process starts again, and begins at the start of the logs
        s.losses.append(s.unseen); s.unseen = None; s.redis.clear(); s.redis.undo = []; s.orphans += [p.txn for p in s.procs]; s.procs.clear()
        for kind in 'LDDAA': s.spawn(kind)
        s.procs[0].mine = s.k.init('leader', s.off); s.lower(s.procs[0])   # in the transaction that tells of the loss
        s.assign(); s.left = {('responses', part): len(s.k.logs['responses', part]) for part in range(PARTS)}
    def end(s, p):
        if p not in s.procs: return
        s.procs.remove(p); s.orphans.append(p.txn); s.end(p.child)
        if p.kind != 'P' and not p.zombie: s.spawn(p.kind); s.assign()
    def step(s, p):
        if p.sleep and s.r.random() < .95: p.sleep -= 1
        elif p.zombie and s.r.random() < .01: s.end(p)
        else:
            try: next(p.steps)
            except (Fenced, StopIteration): s.end(p)
    def run(s, steps):
        heat, since = s.r.choice((0, .003, .01, .03)), 0
        for step in range(steps * 9):
            if step == steps: s.quiet, heat, since = True, 0, len(s.control)
            s.k.now = step
            if s.unseen is not None and s.r.random() < .05: s.detect()
            if s.r.random() < heat: s.chaos()
            if s.kafka and not s.quiet and s.r.random() < (.02 if s.stamps and step - s.stamps[-1] < WINDOW and s.control[-1][2].epoch > 1 else .001): s.lose()   # soon after a crawl's state
            if not s.quiet and s.r.random() < .01: s.web[s.r.randrange(len(s.web))] = s.r.randrange(s.chain, 4)
            if s.r.random() < .02: [s.k.abort(t) for t in s.orphans]; s.orphans.clear()
            s.step(s.r.choice(s.procs)); late = [t for t in s.k.txns if t.state != 'open']
            if late and s.r.random() < .3: t = s.r.choice(late); s.k.mark(t, s.r.choice(sorted(t.logs - t.marked, key=str)))
            if s.quiet and step % 50 == 0 and all(s.rounds(crawl, since) > (1 if s.depths[crawl] == INF else 2 + s.depths[crawl]) for crawl in range(CRAWLS)): return s.verdict()
        s.faults.add('STALL'); return s.faults
    def rounds(s, crawl, since):                              # the runs that have begun and ended since nothing happens any more
        runs = [run for _, c, run in s.control[since:] if c == crawl and (run.source is not None or s.limits[crawl] < INF)]
        return len({run.epoch for run in runs if run.state == 'promoting'} & {run.epoch for run in runs if run.state in ('finished', 'limited')})

    def fault(s, what, when): s.faults |= {what} if when else set()
    def requests(s, crawl, epoch): return [r for part in range(PARTS) for _, r in s.k.committed(('requests', part)) if r[:2] == (crawl, epoch)]
    def promoted(s, crawl, epoch): return [r for r in s.requests(crawl, epoch) if r.visit]
    def known(s, crawl, epoch):                               # the pages that a refresh of that run has to visit or to carry
        run = next((run for _, c, run in reversed(s.control) if c == crawl and run.epoch == epoch), None); due = s.due.get((crawl, epoch), set())
        return s.stored(crawl, epoch) | {r.page for r in s.promoted(crawl, epoch)} | (due - s.chosen(crawl, run) if run and not run.plain else set())
    def due_only(s, run): return run.epoch % 2                # else its part are pages by their URL, due or not
    def chosen(s, crawl, run): due = s.due.get((crawl, run.epoch), set()); return due if run.part is None else due & run.part
    def answers(s, crawl, epoch): return [a for _, a in s.k.committed('stored') if a.request[:2] == (crawl, epoch)]
    def carried(s, crawl, run):                               # visits that a refresh has not made
        return [] if run.part is None else [v for part in range(PARTS) for _, v in s.k.committed(('visits', part), run.own[part])
                                            if v[:2] == (crawl, run.epoch) and ('own' in s.off and v.carried or v.carried == run.by)]
    def stored(s, crawl, epoch): return {a.request.page for a in s.answers(crawl, epoch)}
    def verdict(s):
        reader, runs, ended, told, unsure = Proc(''), {}, set(), collections.defaultdict(dict), set()
        for _ in s.control:
            reader.look(s.control, 1); runs.update({(crawl, run.epoch): run for crawl, run in reader.runs.items()})
            ended |= {(crawl, run.epoch) for crawl, run in reader.runs.items() if run.state == 'finished'}
        for (crawl, epoch), run in sorted(runs.items()):
            promoted, due, seen, carried = s.promoted(crawl, epoch), s.due.get((crawl, epoch), set()), set(), s.carried(crawl, run)
            if run.source is None: told[crawl].clear()
            elif not s.lost and (crawl, run.source) in ended: due |= s.known(crawl, run.source)
            s.fault('LOST', not s.kafka_lives and (crawl, epoch) in ended and due - {r.page for r in s.requests(crawl, epoch)} - {r.page for r in carried})
            s.fault('MANY', not s.lost and (crawl, epoch) in ended and len(carried) > len({r.page for r in carried}))
            asked = {v.page for part in range(PARTS) for _, v in s.k.committed(('visits', part), run.since[part], run.ends[part])
                     if v[:2] == (crawl, run.source) and v.asked not in (None, 'near') and v.carried in (None, run.of)} & due if run.source is not None else set()
            s.fault('ASKED', not s.lost and (crawl, epoch) in ended and asked - {r.page for r in promoted} - {v.page for v in carried if v.asked and not s.due_only(run)})
            s.fault('FOREIGN', any(r.visit != (crawl, run.source) for r in promoted))
            s.fault('IDS', not s.lost and len({r.id for r in promoted}) > len({r.page for r in promoted}))
            for a in s.answers(crawl, epoch):
                page, change = a.request.page, a.kind == 'page' and a.state != a.request.entry
                s.fault('NEW', not s.lost and page in due and not a.request.visit)
                s.fault('TWICE', not s.lost and (page in seen or change and told[crawl].get(page) == a.state))
                if page in seen or page in due - s.chosen(crawl, run): unsure.add((crawl, page))   # two answers of a run, or one of a page that it
                                                              # carries: either may be the last told
                if change: told[crawl][page] = a.state
                seen.add(page)
        for crawl in [crawl for crawl in range(CRAWLS) if s.limits[crawl] == INF]:
            todo, last, chain = dict.fromkeys(s.seeds[crawl], 0), max(x for x in ended if x[0] == crawl), []
            while s.kafka_lives and not (chain and chain[-1].plain) and (run := runs.get((crawl, chain[-1].source if chain else last[1]))): chain.append(run)
            s.fault('LOST', not s.emptied and set().union(*[s.stored(crawl, run.epoch) for run in chain if (crawl, run.epoch) in ended]) - s.stored(*last))
            while more := {x: depth + 1 for page, depth in todo.items() if depth < s.depths[crawl] for x in s.links[page][s.web[page]] if x not in todo}: todo |= more
            s.fault('STALE', set(todo) - s.stored(*last) or any(told[crawl].get(x) != s.web[x] and (crawl, x) not in unsure for x in todo))
        return s.faults


def main():
    a = argparse.ArgumentParser(description=__doc__, epilog='--off takes rules away: before, after = a visit is in the transaction of its answer; stored = only the '
                                'answer that is stored has one; limit = a refresh that has ended at its limit is not refreshed; ends = the ends of visits are '
                                'high-water marks; open = a run with a link that waits is not refreshed; start = a run starts when all is promoted; known = a visit '
                                'is announced before it is promoted; sameid = a request has the id of its visit; emitted = the ledger lists it; run = it is of the run '
                                'before; fence = a new leader or promoter fences the former; trim = what a promoter needs is kept; carry = a visit that a refresh does not make is of that run; own = only what the promoter has carried '
                                'that the run names counts; asked = a carried visit keeps that a seed has asked for it; near = a link at a smaller depth is noted; whole = a visit at a smaller depth is not conditional; keeps = a visit is made at its own depth, whatever is known meanwhile. The exit status is 1 if any seed failed.')
    a.add_argument('--seeds', type=int, default=1000, help='number of lives'); a.add_argument('--from', dest='start', type=int, default=0, help='first seed')
    a.add_argument('--steps', type=int, default=1500, help='length of a life')
    a.add_argument('--kafka', action='store_true', help='Kafka loses the last records of all logs or of one topic, twice at most')
    a.add_argument('--depth', action='store_true', help='crawls have limits of depth, and links come and go')
    a.add_argument('--off', default=set(), type=lambda x: set(filter(None, x.split(',')))); o = a.parse_args()
    tally, bad = collections.Counter(), 0
    for seed in range(o.start, o.start + o.seeds):
        faults = Sim(seed, o.off, o.depth, 2 * o.kafka).run(o.steps); tally.update(faults); bad += bool(faults)
    print(f'visits   {" ".join(["depth"] * o.depth + ["kafka"] * o.kafka + ["off=" + ",".join(sorted(o.off))] * bool(o.off)):28} seeds {o.start}..{o.start + o.seeds - 1}  failing {bad}  {dict(tally)}', flush=True)
    sys.exit(bad > 0)
if __name__ == '__main__': main()
