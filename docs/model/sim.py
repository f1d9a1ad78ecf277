#!/usr/bin/env python3
"""A randomised simulator of Trawl's protocol under crashes. It needs nothing but the standard library of Python.
Every process is a generator. At each `yield` the simulator may kill it, pause it (a zombie) or let another overtake it."""
import argparse, collections, random, sys, time

class Fenced(Exception): pass          # another producer or member has replaced this one: the process must end
class NoScript(Exception): pass        # Redis restarted or failed over
class Txn:
    def __init__(s): s.state, s.offs, s.tps, s.end = 'open', {}, set(), 0
class Offsets(dict):                   # of groups, with their history
    def __init__(s, k): s.k, s.undo = k, []
    def __setitem__(s, key, o): s.undo.append((s.k.now, key, s.get(key))); super().__setitem__(key, o)
    def update(s, other):
        for key, o in other.items(): s[key] = o
    def back(s, now):                                         # to what they were then
        while s.undo and s.undo[-1][0] > now:
            _, key, o = s.undo.pop(); s.pop(key, None) if o is None else super().__setitem__(key, o)

class Kafka:
    def __init__(s): s.log, s.now, s.com, s.asg, s.txns, s.ser, s.at, s.start, s.decided = {}, 0, Offsets(s), {}, [], 0, {}, {}, []
    def create(s, tp): s.log.setdefault(tp, []); s.at.setdefault(tp, [])
    def begin(s): t = Txn(); s.txns.append(t); return t
    def cut(s, tp, now):                                      # the records that were written since are lost; the first lost offset
        n = sum(at <= now for at in s.at[tp]); del s.log[tp][n:], s.at[tp][n:]
        s.start[tp] = min(s.start.get(tp, 0), n); return n
    def back(s, now):                                         # the broker forgets what it has decided and committed since
        for t in s.txns + [t for t in s.decided if t.end > now]: t.state = 'aborted'
        s.txns.clear(); s.com.back(now)
    def append(s, tp, v, t=None):
        if t and t.state != 'open': raise Fenced
        if tp not in s.log: raise Fenced                     # the topic was deleted, and the broker creates none by itself
        s.log[tp].append((v, t)); s.at[tp].append(s.now); t and t.tps.add(tp)
        return len(s.log[tp]) - 1
    def end_txn(s, t, ok):
        if t.state != 'open': raise Fenced
        t.state = 'committed' if ok else 'aborted'
        s.txns.remove(t); t.end = s.now; s.decided.append(t)
        for tp in t.tps:
            if tp in s.log: s.log[tp].append((None, None)); s.at[tp].append(s.now)   # the marker takes an offset
        if ok: s.com.update(t.offs)
    def abort(s, t):
        if t and t.state == 'open': s.end_txn(t, False)
    def hw(s, tp):
        if tp not in s.log: raise Fenced                     # deleted
        return len(s.log[tp])
    def lso(s, tp):
        return next((i for i, (_, t) in enumerate(s.log[tp]) if t and t.state == 'open'), len(s.log[tp]))
    def read(s, tp, pos, n):                                  # read_committed; returns records and position
        if tp not in s.log: raise Fenced                     # deleted
        out, end = [], s.lso(tp); pos = max(pos, s.start.get(tp, 0))
        while pos < end and len(out) < n:
            v, t = s.log[tp][pos]
            if v is not None and (t is None or t.state == 'committed'): out.append((pos, v))
            pos += 1
        return out, pos
    def owner(s, g, tp): return s.asg.get((g, tp), (None, 0))
    def give(s, g, tp, mid): s.ser += 1; s.asg[g, tp] = (mid, s.ser)
    def committed(s, g, tp):                                  # as with require_stable: None while a transaction is open on it
        if any((g, tp) in t.offs for t in s.txns): return None
        return s.com.get((g, tp), (0, None))
    def check(s, g, mid, offs):
        if any(s.owner(g, tp)[0] != mid for tp in offs): raise Fenced
    def commit(s, g, mid, offs):
        s.check(g, mid, offs)
        for tp, o in offs.items(): s.com[g, tp] = o
    def send_offsets(s, t, g, mid, offs):
        if t.state != 'open': raise Fenced
        s.check(g, mid, offs); t.offs.update({(g, tp): o for tp, o in offs.items()})

class Redis:
    def __init__(s): s.d, s.undo, s.loaded, s.life = {}, [], True, 0
    def set(s, k, v): s.undo.append((k, s.d.get(k))); s.d[k] = v
    def inc(s, k, n=1): s.set(k, s.d.get(k, 0) + n)
    def lose(s, n):                                           # a restart: the last n writes are lost
        for _ in range(min(n, len(s.undo))):
            k, v = s.undo.pop(); s.d.pop(k) if v is None else s.d.__setitem__(k, v)
        s.loaded, s.life = False, s.life + 1

NREQ, NRESP, NITEM, INF = 2, 2, 2, 10 ** 9
AGAIN = 10 ** 6                        # 10 ** 6 + u is the URL u that is asked again: a request of its own identity
LEVEL = 10                             # partition 10 + k of a request topic is partition k of the other priority
class Proc:
    def __init__(p, kind, mid): p.kind, p.mid, p.idle, p.txn, p.reg, p.gen, p.zombie, p.counts, p.layout, p.loss, p.fresh, p.sealed, p.over = kind, mid, False, None, True, 0, False, 0, 0, 0, True, 0, False

class Sim:
    def __init__(s, seed, o):
        s.r = r = random.Random(seed); s.o, s.mode, s.off, s.on = o, o.mode, set(o.off), set(o.on)
        s.fix = s.mode == 'replay'; s.k, s.redis = Kafka(), Redis(); s.maxd = INF
        s.n = n = o.pages or r.randint(3, 8); s.ids = 0; s.procs = []; s.mids = 0; s.fetched = collections.Counter()
        s.kind = ['page'] + [r.choice(['page'] * 5 + ['redir', 'redir', 'fail']) for _ in range(n - 1)]
        s.links = [[(r.randrange(n), not (o.flaky and r.random() < .3)) for _ in range(r.randint(1, 4))] for _ in range(n)]
        for i in range(n):
            if s.kind[i] == 'redir': s.links[i] = [(r.randrange(n), True)]
            if s.kind[i] == 'fail': s.links[i] = []
        s.seeds = [0] + [r.randrange(n) for _ in range(r.randint(0, 2))]
        s.gen = s.open = 0; s.fences = 0; s.finished = None; s.files = {}; s.parts = {}; s.trace = []
        s.counts = [(NITEM, NITEM)]                           # on control: items are written to so many partitions, and read from so many
        s.layouts = [(0, NRESP, 0, False, None)]              # number, partitions, shift, whether it closes, what is left of the one before
        s.levels = [0, LEVEL] if o.moves else [0]; s.orders = []; s.adrift = 0
        s.losses, s.unseen_loss, s.repaired, s.looks, s.kafka = [], None, 0, [], 2 * o.kafka - o.late   # on control: where each loss in Kafka has cut the logs
        s.given, s.gone, s.again = None, False, 0             # on control: when the facts were given up; whether some are deleted; fetches since
        for i in range(NREQ):
            for level in s.levels: s.k.create(('req', 0, i + level))
        for t, c in (('resp', NRESP), ('item', NITEM), ('seed', 1), ('ledger', 2)):
            for i in range(c): s.k.create((t, 0, i))
        for u in s.seeds: s.k.append(('seed', 0, 0), u)
        s.want_resize = o.resize and r.random() < .8; s.loss = o.loss
        for kind, c in (('D', 2), ('A', 2), ('P', 2), ('C', 2)):
            for _ in range(c): s.spawn(kind)
        s.rebalance(None)

    GROUP = {'D': 'req', 'A': 'resp', 'P': 'item', 'C': 'seed'}
    def spawn(s, kind):
        s.mids += 1; p = Proc(kind, s.mids); p.counts = len(s.counts) - 1; p.layout = len(s.layouts) - 1; p.loss = len(s.losses); p.over = s.given is not None
        if s.has('start'): p.gen = s.gen                      # initTransactions, then read control to its end, then join the group
        p.run = {'D': s.downloader, 'A': s.analyzer, 'P': s.pipeline, 'C': s.coordinator}[kind](p)
        s.procs.append(p); return p
    def rebalance(s, force):                                  # moves only partitions that are free or that an idle member holds
        for kind, topic in s.GROUP.items():
            for g in dict.fromkeys(s.group(p) for p in s.procs if p.kind == kind):
                ms = [p for p in s.procs if s.group(p) == g and not p.zombie]
                for tp in [t for t in s.k.log if t[0] == topic]:
                    cur = next((p for p in ms if p.mid == s.k.owner(g, tp)[0]), None)
                    if cur is None or (cur.idle and force and s.r.random() < .5):
                        if ms: s.k.give(g, tp, s.r.choice(ms).mid)
    def group(s, p):                                          # after a loss in Kafka those but the pipelines are others, which have committed nothing
        return s.GROUP[p.kind] if not p.loss or p.kind == 'P' or 'begin' in s.off else (s.GROUP[p.kind], p.loss)
    def mine(s, p): g = s.group(p); return [(tp, s.k.owner(g, tp)[1]) for tp in list(s.k.log) if tp[0] == s.GROUP[p.kind] and s.k.owner(g, tp)[0] == p.mid]
    def has(s, f): return f in s.on or (s.fix and f not in s.off)
    def script(s):
        if s.has('amnesia') and (not s.redis.loaded or s.has('sha') and s.redis.life != s.cur.life): raise NoScript
    def newid(s): s.ids += 1; return s.ids
    def look(s, p):                                           # a process reads control with a delay
        if p.counts < len(s.counts) - 1 and s.r.random() < .3: p.counts += 1
        if p.layout < len(s.layouts) - 1 and s.r.random() < .3: p.layout += 1
        if s.given is not None and s.r.random() < .5: p.over = 'over' not in s.off
    def served(s, p, tp): return tp[2] < s.counts[p.counts]['most' not in s.off]
    def item(s, p, u): return 'item', 0, u % s.counts[p.counts][0]
    def parse(s, u): return [v for v, stable in s.links[u] if stable or s.r.random() < .5]

    # ---- ledger scripts -------------------------------------------------------------------------------------
    def claim_by(s, u, who):                                  # claims: the record that discovers a URL claims it
        e = s.redis.d.get(('u', u))
        if e is None: s.redis.set(('u', u), ('c', who)); s.redis.inc('admitted'); return True
        return e == ('c', who)
    def settle_by(s, u, who):
        e = s.redis.d.get(('u', u))
        if e and e[0] == 's': return e[1] == who
        s.redis.set(('u', u), ('s', who)); s.redis.inc('settled'); return True
    def claim(s, u, q):                                       # replay: a committed request claims the URL for itself
        s.script(); e = s.redis.d.get(('u', u))
        if e is None: s.redis.set(('u', u), ('c', q)); return True
        return e[1] == q
    def take(s, u, q, rid):                                   # replay: a response takes the right to be stored
        s.script(); e = s.redis.d.get(('u', u)); d = s.redis.d.get(('q', q))
        if d is not None and 'once' not in s.off: return 'dup' if d == rid else 'drop'   # the duplicate was counted before
        if e is None or e[0] == 'c': s.redis.set(('u', u), ('s', q, rid)); return 'accept'
        if e[1] == q: return 'accept' if e[2] == rid else 'drop'
        return s.take_dup(u, q, rid)
    def take_dup(s, u, q, rid):
        s.script(); e = s.redis.d.get(('q', q))
        if e is None: s.redis.set(('q', q), rid); e = rid
        if e != rid: return 'drop'
        h = s.redis.d.get(('u', u))
        if 'reemit' not in s.off and (h is None or h[1] == q):  # the verdict "duplicate" does not apply any more
            if h == ('c', q): s.redis.set(('u', u), None)
            return 'reemit'
        return 'dup'

    # ---- processes -------------------------------------------------------------------------------------------
    def guard(s, p, body):                                    # runs the body of a worker; aborts and rewinds, or ends
        pos = {}
        while True:
            p.idle = True; yield; p.idle, p.life = False, s.redis.life   # the digest of the script names this run of the server
            try: yield from body(pos)
            except NoScript: s.k.abort(p.txn); p.txn = None; pos.clear(); yield
            except Fenced:
                s.k.abort(p.txn); p.txn = None; pos.clear()
                if p.zombie: return
    def positions(s, p, pos):
        s.look(p); own = [x for x in s.mine(p) if x[0][0] != 'item' or s.served(p, x[0])]
        for key in [x for x in pos if x not in own]: del pos[key]
        for tp, ser in own:
            if (tp, ser) not in pos:
                c = s.k.committed(s.group(p), tp)
                if c is None: continue
                pos[tp, ser] = c[0]; yield tp, ser, c
            else: yield tp, ser, None

    def downloader(s, p):
        def body(pos):
            work = []
            for tp, ser, c in list(s.positions(p, pos)):
                low = pos[tp, ser]; recs, nxt = s.k.read(tp, low, 99)
                todo = [(o, v) for o, v in recs if ('m', tp, o) not in s.redis.d]
                work.append((tp, ser, todo, nxt))
            if not work: return
            tp, ser, todo, nxt = s.r.choice(work); low = todo[0][0] if todo else nxt
            if low > pos[tp, ser]: s.k.commit('req', p.mid, {tp: (low, None)}); pos[tp, ser] = low; yield
            if not todo: return
            if tp[1] < s.gen:                                 # the generation changes: forward the requests, do not fetch
                p.gen = s.gen; p.txn = t = s.k.begin()
                for o, v in todo[:2]: s.k.append(('req', s.gen, s.part(s.gen, v[0])), v, t); yield
                k = todo[2][0] if len(todo) > 2 else nxt
                s.k.send_offsets(t, 'req', p.mid, {tp: (k, None)}); yield
                s.k.end_txn(t, True); p.txn = None; pos[tp, ser] = k; return
            if tp[1] > s.open: return                         # the new generation is not open yet
            o, (u, q) = s.r.choice(todo[:4]); yield           # the frontier chooses any ready host
            kind = s.kind[u]
            if 'check' in s.on:                               # a rejected variant: the downloader judges duplicates
                if not s.claim(u, q): kind = 'dup'
                yield
            s.fetched[u] += kind != 'dup'; yield                # the fetch
            s.k.append(('resp', 0, (hash(u) if 'sticky' not in s.off else s.r.randrange(9)) % NRESP), (u, kind, q)); yield
            s.redis.set(('m', tp, o), 1)
        return s.guard(p, body)

    PARTITIONS = [NREQ, NREQ + 1, 1]                          # of the request topics, by generation: up, then down
    def part(s, gen, u, a=0): n = s.PARTITIONS[gen]; return (u + a) % n if 'keyed' in s.on else s.r.randrange(n)   # by the address
    def emit(s, p, t, u, q, *more): s.k.append(('req', p.gen, s.part(p.gen, u, *more[1:2])), (u, q) + more, t)
    def analyzer(s, p):
        def body(pos):
            if s.r.random() < .6: p.gen = s.gen               # the analyzer reads control with a delay
            batch, offs, begin = [], {}, dict(pos)
            for tp, ser, c in list(s.positions(p, pos)):
                begin[tp, ser] = pos[tp, ser]
                recs, nxt = s.k.read(tp, pos[tp, ser], s.r.randint(1, s.o.batch))
                for o, v in recs: batch.append(((tp, o),) + v)
                if nxt > pos[tp, ser]: offs[tp] = (nxt, None); pos[tp, ser] = nxt
            if not offs: return
            if 'parallel' in s.on: s.r.shuffle(batch)         # parsing threads finish in any order
            yield
            if p.over: batch = []                             # of a run that is over nothing is handled
            batch, copies = s.laid(p, pos, begin, offs, batch)
            if not offs: return
            if s.o.responses: yield
            p.txn = t = s.k.begin()
            for to, v in copies: s.k.append(to, v, t); yield
            yield from s.batch(p, t, batch)
            s.k.send_offsets(t, s.group(p), p.mid, offs); yield
            if s.fix: s.script()                              # check that Redis has not restarted since the writes
            yield
            s.k.end_txn(t, True); p.txn = None; yield
            for h in getattr(p, 'hints', []): s.announce(*h); yield
        return s.guard(p, body)
    def laid(s, p, pos, begin, offs, batch): return batch, []
    def batch(s, p, t, batch): return (s.batch_replay if s.fix else s.batch_claims)(p, t, batch)
    def announce(s, u, q): s.claim(u, q)
    def batch_claims(s, p, t, batch):
        cache = p.__dict__.setdefault('cache', set())
        for rid, u, kind, q in batch:
            out = []; found = s.parse(u)
            if 'naivecache' in s.on: found = [v for v in found if v not in cache]; cache.update(found)
            if s.mode == 'sadd':
                for v in found:
                    if ('u', v) not in s.redis.d: s.redis.set(('u', v), 1); s.redis.inc('admitted'); yield; out.append(v)
                s.redis.inc('settled'); ok = True
            elif s.mode == 'claims':
                ok = s.settle_by(u, rid); out = [v for v in found if s.claim_by(v, rid)] if ok else []
            elif s.mode == 'claims-first':
                for v in found:
                    if s.claim_by(v, rid): out.append(v)
                    yield
                ok = s.settle_by(u, rid)
            else:
                ok = s.settle_by(u, rid); yield
                for v in found if ok else []:
                    if s.claim_by(v, rid): out.append(v)
                    yield
            yield
            if ok:
                for v in dict.fromkeys(out): s.emit(p, t, v, 0); yield
                if kind == 'page': s.k.append(s.item(p, u), u, t); yield
    def batch_replay(s, p, t, batch):
        emits, takes, dups, local, p.hints = [], [], [], set(), []
        for rid, u, kind, q in batch:
            verdict = s.take_dup(u, q, rid) if kind == 'dup' else s.take(u, q, rid)
            yield
            if verdict == 'drop': continue
            (takes if verdict == 'accept' else dups).append((u, q, rid))
            found = [u] if verdict == 'reemit' else s.parse(u) if verdict == 'accept' else []
            for v in dict.fromkeys(found):
                s.script()
                if v in local or (s.redis.d.get(('u', v)) and verdict != 'reemit'): continue   # a look-up without a write
                local.add(v); nq = s.newid(); emits.append((v, nq)); s.emit(p, t, v, nq); yield
            if verdict == 'accept' and kind == 'page': s.k.append(s.item(p, u), u, t); yield
        s.k.append(('ledger', 0, s.r.randrange(2)), (emits, takes, dups), t); p.hints = emits; yield

    def pipeline(s, p):
        def body(pos):
            for tp, ser, c in list(s.positions(p, pos)):
                if c and len(c) > 2 and c[2] < p.loss and 'cut' not in s.off or c and len(c) < 3 and p.loss and 'cut' not in s.off:   # back to what a loss has left
                    pos[tp, ser] = min([c[0]] + [cut.get(tp, INF) for cut in s.losses[c[2] if len(c) > 2 else 0:p.loss]])
                    if not c[1]: s.k.commit('item', p.mid, {tp: (pos[tp, ser], None, p.loss)}); yield
                if s.has('rename'):
                    if c and c[1]:                            # finish the rename that the last owner committed
                        yield; s.files[c[1]] = s.parts[c[1]]; yield; s.k.commit('item', p.mid, {tp: (pos[tp, ser], None, p.loss)})
                recs, nxt = s.k.read(tp, pos[tp, ser], s.r.randint(1, 3))
                if nxt == pos[tp, ser]: continue
                name = (tp, pos[tp, ser], nxt, p.mid); yield
                s.parts[name] = [v for _, v in recs if not p.over]; yield
                if s.has('rename'):
                    s.k.commit('item', p.mid, {tp: (nxt, name, p.loss)}); yield
                    s.files[name] = s.parts[name]; yield
                    s.k.commit('item', p.mid, {tp: (nxt, None, p.loss)})
                else:
                    s.files[name[:3]] = s.parts[name]; yield   # rename, then commit
                    s.k.commit('item', p.mid, {tp: (nxt, None, p.loss)})
                pos[tp, ser] = nxt; yield
        return s.guard(p, body)

    def coordinator(s, p):
        def body(pos):
            own = list(s.positions(p, pos))
            if not own: return
            tp, ser, c = own[0]; p.gen = s.gen
            if s.unseen_loss is not None:                     # the leader looks at the ends of the logs once a second
                if s.r.random() < .2: yield; s.k.check(s.group(p), p.mid, [tp]); s.losses.append(s.unseen_loss); s.unseen_loss = None
                if p.loss < len(s.losses): return
            if s.has('amnesia') and not s.redis.loaded: yield from s.replay(); return
            recs, nxt = s.k.read(tp, pos[tp, ser], 1)
            if nxt > pos[tp, ser]:
                p.txn = t = s.k.begin(); emits = []; yield
                for o, u in recs:
                    if s.mode == 'sadd': go = ('u', u) not in s.redis.d; s.redis.set(('u', u), 1); go and s.redis.inc('admitted')
                    elif s.fix: s.script(); go = s.unseen(u, 0) and (s.given is None or 'refuse' in s.off)
                    else: go = s.claim_by(u, (tp, o))
                    yield
                    if go: h = s.request(u, 0); s.emit(p, t, *h); emits.append(h); yield
                if s.fix: s.k.append(('ledger', 0, 0), (emits, [], []), t); yield
                s.k.send_offsets(t, s.group(p), p.mid, {tp: (nxt, None)}); yield
                if s.fix: s.script()
                s.k.end_txn(t, True); p.txn = None; pos[tp, ser] = nxt; yield
                for h in emits if s.fix else []: s.announce(*h); yield
                return
            if len(s.orders) < 2 and s.o.moves and (s.orders or ('req', s.gen, LEVEL) in s.k.log) and s.r.random() < .1 and not s.finished:   # move what waits here and now to a priority
                until = {x: s.k.hw(x) for x in s.k.log if x[0] == 'req'}; yield
                s.orders.append(({u for u in range(s.n) if s.r.random() < .8}, 0 if s.orders else LEVEL, until)); yield   # there, then back
            if s.want_resize and s.gen < s.LARGEST and not s.old() and s.r.random() < .1 and not s.finished:
                for i in range(s.PARTITIONS[s.gen + 1]):
                    for level in s.levels[:1] if s.gen + 1 == 1 else s.levels: s.k.create(('req', s.gen + 1, i + level))   # fewer priorities, then as before
                s.gen += 1; p.gen = s.gen; s.rebalance(None); yield
            if s.o.outputs and len(s.counts) < 4 and s.r.random() < .2 and not s.finished:   # another number of partitions for items
                most = s.counts[-1][1]; n = s.r.choice([x for x in range(1, 6) if x != s.counts[-1][0]])
                for i in range(most, n): s.k.create(('item', 0, i))
                yield
                s.k.check('seed', p.mid, [tp])                # fenced
                s.rebalance(None); s.counts.append((n, max(n, s.counts[-1][1]))); yield
            if s.o.responses: yield from s.lay(p, tp)
            if s.old(): yield from s.resize(p)
            if p.loss > s.repaired: yield from s.repair(p)
            elif s.finished is None: yield from s.finish(p, tp)
            elif s.o.forget: yield from s.forget(p, tp)
        return s.guard(p, body)
    def lay(s, p, tp): yield
    LARGEST = 1                                               # generation of the request topics
    def old(s): return sorted(tp for tp in s.k.log if tp[0] == 'req' and tp[1] < s.gen)
    def unseen(s, u, d): return s.redis.d.get(('u', u)) is None
    def request(s, u, d): return u, s.newid()
    def empty(s, g, topic): return all((s.k.com.get((g, tp)) or (0,))[0] >= s.k.hw(tp) for tp in s.k.log if tp[:2] == topic)
    def resize(s, p):
        live = [a for a in s.procs if a.kind in 'AD' and a.reg]
        if s.has('seal'):
            s.open = s.gen                                    # opens when all owners forward; they continue to forward the old one
            if any(a.gen < s.gen for a in live if a.kind == 'A'): return
            for a in s.procs:                                 # fence every producer that has not acknowledged
                if a.kind in 'AC' and a.gen < s.gen: s.k.abort(a.txn); a.fenced = True
            yield
        elif any(a.gen < s.gen for a in live if a.kind == 'A'): return
        ok = s.empty('req', ('req', 0)); yield
        if ok:
            s.open = s.gen
            for _ in range(10): yield                         # the deletion of topics takes a while
            for tp in [x for x in s.k.log if x[:2] == ('req', 0)]: del s.k.log[tp]
    def finish(s, p, tp):
        if not s.handled(s.group(p), tp, s.k.hw(tp)): return
        yield
        if s.has('tally'):
            cut = {x: s.k.hw(x) for x in s.k.log if x[0] == 'ledger'}; yield
            if any(s.k.lso(x) < h for x, h in cut.items()): return
            if s.outstanding([v for x, h in cut.items() for v, t in s.k.log[x][:h] if v is not None and (t is None or t.state == 'committed')]): return
            yield
        else:
            st = s.redis.d.get('settled', 0); yield
            if s.fix: st = -1
            if st != s.redis.d.get('admitted', 0): return
            ends = {x: s.k.hw(x) for x in s.k.log if x[0] == 'resp'}
            if not s.has('order'): ends.update({x: s.k.hw(x) for x in s.k.log if x[0] == 'item'})
            while any((s.k.com.get((x[0], x)) or (0,))[0] < h for x, h in ends.items()): yield
        if s.o.outputs and 'refresh' not in s.off: p.counts = len(s.counts) - 1; yield   # reads control to its end
        ends = {x: s.k.hw(x) for x in s.k.log if x[0] == 'item' and s.served(p, x)} if s.has('order') else {}
        while not all(s.handled('item', x, h, p.loss) and not s.k.com.get(('item', x), (0, None))[1] for x, h in ends.items()):
            if s.o.late and s.r.random() < .5: s.lose_records()   # what was stored last is not known to be
            if s.unseen_loss is not None: return              # another thread looks at the ends of the logs
            yield
        s.k.check(s.group(p), p.mid, [tp])
        if s.unseen_loss is not None and 'looked' not in s.off: return   # it compares the ends of the logs once more
        if s.finished is None and p.loss == len(s.losses): s.finished = s.output()
    def forget(s, p, tp):                                     # a record that the facts are given up; when all have read it, they are deleted, one by one
        if s.given is None and 'record' not in s.off:
            if s.r.random() < .6: s.k.check(s.group(p), p.mid, [tp]); s.given = s.k.now
        elif 'soon' in s.off or s.given is None or s.k.now - s.given > s.HEARD:
            left = [key for key in s.redis.d if key[0] == 'u']
            if left: s.redis.undo.append((left[0], s.redis.d.pop(left[0]))); s.gone = True; yield
            elif s.given is None: s.k.check(s.group(p), p.mid, [tp]); s.given = s.k.now
    def handled(s, g, tp, end, loss=None):                     # a position beyond the log, or of before a loss, says nothing
        at = s.k.com.get((g, tp)) or (0, None)
        return at[0] >= end and ('beyond' in s.off or at[0] <= s.k.hw(tp) and (loss is None or len(at) > 2 and at[2] == loss or at[0] == 0))
    def repair(s, p):                                         # the makers that do not know of the loss are fenced; then: what the ledger says to wait, and no log has any more, is answered as lost
        if p.sealed < p.loss:
            for a in s.procs:
                if a.kind in 'AC' and a.loss < p.loss and 'fence' not in s.off: s.k.abort(a.txn); a.fenced = True
            p.sealed = p.loss; yield
            p.left = {tp: s.k.hw(tp) for tp in s.k.log if tp[0] in ('resp', 'seed')}; yield
        if 'wait' not in s.off and any(not s.handled((s.GROUP[k], p.loss) if 'begin' not in s.off else s.GROUP[k], tp, p.left[tp]) for k in 'AC' for tp in s.k.log if tp[0] == s.GROUP[k]): return
        yield
        read = lambda topic: [v for tp in s.k.log if tp[0] == topic for v, t in s.k.log[tp][s.k.start.get(tp, 0) * (topic != 'ledger'):] if v is not None and (t is None or t.state == 'committed')]
        if any(s.k.lso(tp) < s.k.hw(tp) for tp in s.k.log if tp[0] in ('ledger', 'req')): return
        waiting = s.outstanding(read('ledger')); yield
        waiting -= {v[1] for v in read('req')}; yield         # in this order: an answer is written before its request is deleted
        waiting -= {v[2] for v in read('resp') if not v[1].startswith('dup') or v[1] == s.dup()}; yield
        if waiting and 'lost' not in s.off: s.k.append(('ledger', 0, 0), ([], list(waiting))); yield
        s.repaired = p.loss
    def outstanding(s, recs): return sum(len(v[0]) - len(v[1]) - len(v[2]) for v in recs)
    def replay(s):                                            # rebuild from the ledger topic what Redis lost
        life = s.redis.life
        cut = {x: s.k.hw(x) for x in s.k.log if x[0] == 'ledger'}; yield
        while any(s.k.lso(x) < h for x, h in cut.items()): yield
        for x, h in cut.items():
            for v, t in s.k.log[x][:h]:
                if v is None or t.state != 'committed': continue
                for u, q, rid in v[2]: s.redis.d.setdefault(('q', q), rid)
                for u, q, rid in v[1]:
                    if (s.redis.d.get(('u', u)) or 'c')[0] == 'c': s.redis.set(('u', u), ('s', q, rid))
                for u, q in v[0]:
                    if s.redis.d.get(('u', u)) is None: s.redis.set(('u', u), ('c', q))
                yield
        if s.redis.life == life or 'nonce' in s.off: s.redis.loaded = True   # the same server since the replay began
    def output(s): return collections.Counter(v for f in s.files.values() for v in f)

    # ---- chaos -----------------------------------------------------------------------------------------------
    HAZARDS = ['crash'] * 4 + ['zombie'] * 3 + ['move'] * 2 + ['lapse', 'loss']
    def chaos(s):
        p = s.r.choice(s.procs); e = s.r.choice(s.HAZARDS)
        if s.o.forget and e == 'zombie': p = s.r.choice([p for p in s.procs if p.kind == 'D'])   # whose answers come late
        if e == 'crash':                                      # kill -9: the transaction remains open until its time-out
            s.procs.remove(p); s.spawn(p.kind); s.orphans.append(p.txn)
            if s.r.random() < .5: s.rebalance(None)
        elif e == 'zombie' and not p.zombie:                  # paused for longer than its session: others get its partitions
            p.zombie, p.reg = True, False; s.spawn(p.kind); s.rebalance(None); p.sleep = s.r.randint(0, 300 if s.o.forget else 60)
        elif e == 'move': s.rebalance(True)
        elif e == 'lapse': p.reg = False; p.sleep = s.r.randint(0, 40)   # the registration ran out, the group membership did not
        elif e == 'loss' and s.loss: s.redis.lose(s.lost())
        elif e == 'kafka': s.lose_records()
        s.trace.append((e, p.kind))
    HEARD = 150                                               # in steps: by then each process that is awake has read control
    WINDOW, MARGIN = 60, 80                                   # in steps: what a loss takes, and how long what is handled is kept
    def lose_records(s):                                      # the last records of all logs or of one topic, while the processes live
        if not s.kafka or s.unseen_loss is not None or s.finished is not None: return
        s.kafka -= 1; now = max(0, s.k.now - s.r.randint(1, s.WINDOW)); alone = s.r.choice([None] * 3 + ['req', 'resp', 'item', 'seed', 'ledger'] + ['item'] * 3 * s.o.late)
        ends = {tp: len(log) for tp, log in s.k.log.items() if alone in (None, tp[0])}; jitter = s.r.choice([0, 3])
        cut = {tp: s.k.cut(tp, now if alone else now + s.r.randint(0, jitter)) for tp in ends}
        cut = {tp: at for tp, at in cut.items() if at < ends[tp]}
        if not cut: return                                    # the offsets alone: nobody notices, see docs/adr/0108
        s.unseen_loss = cut
        if s.o.late:                                          # those of one kind sleep through it, whether they know of it or not
            kind = s.r.choice('AAADP')
            for p in s.procs: p.sleep = s.r.randint(30, 90) * (p.kind == kind)
        if alone is None: s.k.back(now)
        elif s.r.random() < .3: s.k.com.back(now)
    def trim(s):                                              # deletes what was handled a while ago
        if s.unseen_loss is not None and 'looked' not in s.off: return   # it compares the ends of the logs with those that the leader noted
        newest = [p for p in s.procs if p.loss == len(s.losses)]
        s.looks.append((s.k.now, len(s.losses), {tp: (s.k.com.get((s.group(p), tp)) or (0,))[0] for p in newest for tp in s.k.log if tp[0] == s.GROUP[p.kind]
                                                 if p.kind != 'P' or (s.k.com.get(('item', tp)) or (0, 0, 0))[2:] in ((), (p.loss,))}))
        for at, loss, look in s.looks:
            if loss == len(s.losses) and (at <= s.k.now - s.MARGIN or 'margin' in s.off):
                for tp, o in look.items(): s.k.start[tp] = max(s.k.start.get(tp, 0), o)
        s.looks = [x for x in s.looks if x[0] > s.k.now - s.MARGIN]
    def restarted(s, p):                                      # has heard of a loss
        if 'restart' in s.off: p.loss = len(s.losses); return False
        s.procs.remove(p); s.k.abort(p.txn); s.spawn(p.kind); s.rebalance(None); return True
    def check(s): pass
    def lost(s): return s.r.randint(1, 12)                    # how many of the last writes Redis loses
    def run(s):
        s.orphans = []; budget = 0 if s.o.calm else s.r.randint(0, s.o.events); idle = 0; heat = s.r.choice([.01, .03, .08])
        for step in range(s.o.steps):
            s.k.now = step
            if s.o.forget and s.finished is not None and (not s.loss or s.given is not None) and s.r.random() < .02: s.k.append(('seed', 0, 0), s.r.choice(s.seeds))   # once more
            if budget and (s.finished is None or s.o.forget) and s.r.random() < heat: budget -= 1; s.chaos()
            if s.o.kafka and s.r.random() < .02: s.trim()
            if s.r.random() < .02:
                for t in s.orphans: s.k.abort(t)
                s.orphans = []; s.rebalance(None)
            p = s.r.choice(s.procs)
            if getattr(p, 'sleep', 0) > 0 and s.r.random() < .95: p.sleep -= 1; continue
            if not p.zombie: p.reg = True
            if s.given is not None and not p.zombie: s.look(p)
            if getattr(p, 'fenced', False): p.fenced = False; s.procs.remove(p); s.orphans.append(p.txn); s.spawn(p.kind); s.rebalance(None); continue
            if p.fresh and s.unseen_loss is not None and p.kind != 'C': continue   # the logs are shorter than noted: it waits for the leader
            if p.fresh: p.fresh, p.loss = False, len(s.losses); s.rebalance(None)
            if p.loss < len(s.losses) and (p.kind == 'C' or s.r.random() < .2) and s.restarted(p): continue
            s.cur = p
            if step % 16 == 0: s.check()
            try: next(p.run)
            except StopIteration:
                s.procs.remove(p)
            if s.finished is not None:
                idle += 1
                if idle > (2500 if s.o.forget else 700): break
        return s.verdict()
    def reach(s, all_links):                                  # pages within the depth limit, by shortest distance
        dist, todo = {u: 0 for u in s.seeds}, collections.deque(s.seeds)
        while todo:
            u = todo.popleft()
            beside = [v for v in s.gates if u in s.gates and s.gates[v] == s.gates[u] and all_links]   # where their gate may lead from here
            for v, stable, costs in [(v, stable, s.kind[u] == 'page') for v, stable in s.links[u]] + [(v, True, 0) for v in beside]:
                d = dist[u] + costs                           # a redirect costs no depth
                if (stable or all_links) and d <= s.maxd and d < dist.get(v, INF): dist[v] = d; todo.append(v)
        pages = {u for u in dist if s.kind[u] == 'page'}; todo = [v for u in pages for v in s.files_of.get(u, ())]; files = set()
        while todo: v = todo.pop(); todo += [w for w, _ in s.links[v] if w not in files]; files.add(v)
        return pages | files
    def verdict(s):
        out = s.output(); bad = []; amnesia = (s.loss or s.o.kafka) and s.TOLERANT; s.repeats = sum(out.values()) - len(out)
        s.late = s.finished is not None and s.finished != out
        if s.finished is None or s.o.forget and not s.loss and s.outstanding([v for x in s.k.log if x[0] == 'ledger' for v, t in s.k.log[x] if v is not None and (t is None or t.state == 'committed')]): bad.append('STALL')
        elif not s.excused and s.reach(False) - set(s.finished) if amnesia else s.finished != out: bad.append('EARLY')
        if s.repeats and not amnesia: bad.append('DUP')
        if s.reach(False) - set(out) and not s.excused: bad.append('LOSS')
        if set(out) - s.reach(True): bad.append('BOGUS')
        if s.adrift: bad.append('LEVEL')
        if s.again and not amnesia: bad.append('AGAIN')
        return bad
    files_of = {}                                             # the requisites of pages
    gates = {}                                                # pages that are shown behind a gate
    excused = ()                                              # pages that the server did not show, although they were asked for again
    TOLERANT = False                                          # True: a loss in Redis may repeat output, and do nothing worse


class Facts(Sim):
    """The protocol of docs/protocol.md. Redis holds only facts about records that are in Kafka for good, each a running
    minimum: known (the smallest depth of a committed request), first (the offset of the first response), done (the smallest
    depth of a response, with the offset of the first such response). A loss of facts repeats work; it hides none."""
    TOLERANT = True
    LANES = 3                                                 # fetches one downloader has in flight
    def __init__(s, seed, o):
        o = argparse.Namespace(**vars(o)); o.off = o.off | {'amnesia'}; o.on = o.on | ({'keyed'} - o.off); super().__init__(seed, o)
        s.copies = 6; s.fix = True; s.maxd = s.r.randint(1, 3) if o.depth else INF; s.moved = {u for u in range(s.n) if o.alias and s.r.random() < .5}
        s.HAZARDS = Sim.HAZARDS + ['loss'] * 3 * o.loss + ['kafka'] * 4 * (o.kafka and not o.late) + ['zombie'] * 12 * o.forget
        s.forgets = .25 * (bool(o.alias) and s.r.random() < .5)   # how often the session at the host is over
        s.gates, s.cookie, s.jar, s.excused, s.over = {}, False, 0, set(), False   # a page behind a gate, and its gate; the cookies of the host
        for u in range(s.n):
            if o.alias and s.kind[u] == 'page' and s.r.random() < .4:   # gates of their own, or one for several pages
                if not s.gates or s.r.random() < .5: s.kind.append('gate'); s.links.append([(u, True)])
                s.gates[u] = len(s.kind) - 1
        if o.requisites:                                      # files that pages need, and one that another names; they have depth 0 and no links
            s.files_of = {u: [len(s.kind) + s.r.randrange(3) for _ in range(s.r.randint(1, 2))] for u in range(s.n) if s.kind[u] == 'page' and s.r.random() < .6}
            for i in range(3): s.kind.append('file'); s.links.append([(len(s.kind), True)] * (i < 2 and s.r.random() < .5))
    def lost(s): return s.r.choice([s.r.randint(1, 12), s.r.randint(1, 40), INF])
    def request(s, u, d, *chain): return u, s.newid(), d, s.r.randrange(2) if s.o.alias else 0, chain   # the address that the link has; the redirects
    def world(s, u, chain):                                   # what the server answers, and where to, and the cookies before and after
        if s.cookie and s.r.random() < s.forgets: s.jar += 1; s.cookie = False; s.over = True
        b, before, kind, to = u % AGAIN, s.jar, s.kind[u % AGAIN], None
        if u >= AGAIN and next(hop[1] for hop in chain if hop[0] == b) == s.jar:   # what was asked with these cookies is not asked
            s.excused |= {b} if s.over else set(); return 'fail', to, before, s.jar
        if b in s.gates and not s.cookie: kind = 'shut'; to = s.gates[b]; s.links[to] = [(b, True)]; s.excused |= {b} if u >= AGAIN else set()
        if kind == 'gate': to = s.links[b][0][0]              # back to the page that came last
        if kind == 'gate' and not s.cookie: s.cookie = True; s.jar += 1
        return kind, to, before, s.jar
    def redirect(s, u, chain, to, *jars):                     # where a redirect leads, with the redirects that led there
        chain += (u, *jars),
        asked = [hop for hop in chain if hop[0] % AGAIN == to]
        if not asked or s.kind[to] == 'gate' or 'mark' in s.off: return to, chain
        if len(asked) > 1 or asked[0][1] == jars[1]: return None, chain   # an error that names the chain
        return AGAIN + to, chain

    # ---- the ledger: facts(url) = known, first, (done, at)
    def key(s, *of): return of + (s.cur.loss,) * ('forget' not in s.off and s.cur.loss > 0)   # of facts: void after a loss in Kafka
    def facts(s, u): return s.redis.d.get(s.key('u', u), (INF, INF, (INF, INF)))
    def learn(s, u, known=INF, first=INF, done=(INF, INF)):   # returns what was known before
        e = s.facts(u)
        if 'min' in s.off and e[1] < INF: first, done = e[1], (done if done[0] < e[2][0] else e[2])   # first writer wins
        n = min(e[0], known), min(e[1], first), min(e[2], done)
        if n != e: s.redis.set(s.key('u', u), n)
        return e
    def unseen(s, u, d): known, _, (done, _) = s.facts(u); return min(known, done) > (d if 'improve' not in s.off else INF - 1)
    def announce(s, u, q, d, *_): s.learn(u, known=d)
    def judge(s, u, q, d):                                    # frontier, before a fetch: the depth to fetch with, or None
        known, _, (done, _) = s.facts(u)
        return None if done <= d and 'check' not in s.off else min(d, known) if 'lower' not in s.off else d
    def answered(s, u, d, o):
        if 'ackfact' not in s.off: s.learn(u, first=o, done=(d, o))
    def verdict_on(s, u, kind, q, d, o):                      # analyzer, for each response: (counted, store, follow)
        if kind.startswith('dup'): return kind == s.dup() or 'dup' in s.off, False, False   # by facts of before a loss: says nothing
        _, first, (done, at) = s.learn(u, first=o, done=(d, o))
        if s.maxd < INF and s.o.alias and u < AGAIN and kind in ('page', 'fail') and 'both' not in s.off and (first >= o or 'stored' in s.on):
            s.learn(AGAIN + u, first=o, done=(d, o))          # only what is stored: else the second request waits, and is the one that brings the page
        if 'min' in s.off: return True, first in (o, INF), done > d or at in (o, INF)
        return True, first >= o, done > d or (at >= o if 'again' not in s.on else done == d)
    def dup(s): return 'dup' + str(s.cur.loss or '')
    def once(s, q, rid):                                      # only for a sum; a set of ids does not need it
        if ('q', q) not in s.redis.d: s.redis.set(('q', q), rid)
        return s.redis.d['q', q] == rid
    def outstanding(s, recs):
        if 'set' in s.off: return sum(len(v[0]) - len(v[1]) for v in recs)
        return {h[1] for v in recs for h in v[0]} - {q for v in recs for q in v[1]}

    def check(s):                                             # each waiting request stands in the topic of the priority that the ledger names
        if not s.o.moves or s.finished is not None: return
        recs = [v for x in s.k.log if x[0] == 'ledger' for v, t in s.k.log[x] if v is not None and (t is None or t.state == 'committed')]
        level, newest = {h[1]: 0 for v in recs for h in v[0]}, collections.Counter()
        of = lambda order: max(x[1] for x in s.orders[order - 1][2])   # the generation in which an order was given
        entries = [m for v in recs for m in (v[2:] or [()])[0]]
        for q, to, order, at in sorted(entries, key=lambda m: of(m[2]) if m[2] else m[3] - .5):
            if order >= newest[q] or 'newest' in s.off or not order: level[q], newest[q] = to, max(order, newest[q])
        for q, _, order, at in entries:
            if order and of(order) < at: level.pop(q, None)   # late: a downloader that slept through the change
        gone = {q for v in recs for q in v[1]} | {v[2] for x in s.k.log if x[0] == 'resp' for v, t in s.k.log[x] if v is not None}
        stands = {(v[1], x[2] // LEVEL) for x in s.k.log if x[0] == 'req' for o, (v, t) in enumerate(s.k.log[x])
                  if v is not None and (t is None or t.state == 'committed') and ('m', x, o) not in s.redis.d}
        s.adrift += any(q not in gone and (q, to) not in stands for q, to in level.items())

    def downloader(s, p):
        flight = {}                                           # (partition, offset) -> (url, id, depth, address, redirects)
        def body(pos):
            own = list(s.positions(p, pos)); work = []
            for tp, ser, c in own:
                recs, nxt = s.k.read(tp, pos[tp, ser], 99)
                todo = [(o, v) for o, v in recs if s.key('m', tp, o) not in s.redis.d]
                work.append((tp, ser, todo, nxt))
            if flight and (not work or len(flight) == s.LANES or s.r.random() < (.2 if s.o.forget else .5)): yield from answer(s.r.choice(list(flight))); return
            if not work: return
            tp, ser, todo, nxt = s.r.choice(work); low = todo[0][0] if todo else nxt
            if low > pos[tp, ser]: s.k.commit(s.group(p), p.mid, {tp: (low, None)}); pos[tp, ser] = low; yield
            if not todo: return
            if s.r.random() < .6: p.gen = max(p.gen, s.gen)   # reads control with a delay; then ends or cuts what is in flight
            for key in [x for x in flight if x[0][1] < p.gen and s.r.random() < .5]: del flight[key]
            if tp[1] < p.gen or tp[1] > s.open: return
            if s.o.moves and s.r.random() < .3: yield from moved(tp, todo); return
            if s.o.stragglers and s.copies and s.r.random() < .3:   # it holds the log: its copy is written at the end
                s.copies -= 1; o, v = todo[0]; yield from forward(tp, o, v, tp); return
            o, (u, q, d, a, c) = s.r.choice(todo[:4])
            if p.over: s.redis.set(s.key('m', tp, o), 1); return   # drops it
            if (tp, o) in flight or 'inflight' not in s.off and any(u == f[0] for f in flight.values()): return   # waits
            depth = s.judge(u, q, d); yield
            if depth is None: yield from respond(tp, o, u, 'dup', q, d, a, c, ())
            else: flight[tp, o] = u, q, depth, a, c; s.again += s.gone and not p.zombie and s.fetched[u] > 0; s.fetched[u] += 1
        def answer(key):
            u, q, d, a, c = flight.pop(key)
            if a and u in s.moved and 'forward' not in s.off: # a redirect to the other address of this page
                g = max(p.gen, key[0][1]); yield from forward(*key, (u, q, d, 0, c), ('req', g, s.part(g, u) + key[0][2] // LEVEL * LEVEL))
            else:
                kind, *jars = s.world(u, c)
                yield from respond(*key, u, kind if not a or u not in s.moved else 'self', q, d, a, c, jars)
        def forward(tp, o, v, to, order=0):                   # the copy, then the ledger knows of another priority, then the mark
            if 'markfirst' in s.on: s.redis.set(s.key('m', tp, o), 1); yield
            v = v if 'sameid' not in s.off else v[:1] + (s.newid(),) + v[2:]
            s.k.append(to, v); yield
            if 'marklate' in s.on: s.redis.set(s.key('m', tp, o), 1); yield
            if order: s.k.append(('ledger', 0, s.r.randrange(2)), ([], [], [(v[1], to[2] // LEVEL, order, s.gen)])); yield
            s.redis.set(s.key('m', tp, o), 1)
        def moved(tp, todo):                                  # the last order that covers a record decides about it
            for o, v in todo:
                order = max((i for i, (us, _, until) in enumerate(s.orders) if v[0] in us and o < until.get(tp, 0)), default=-1)
                to = s.orders[order][1] if order >= 0 else tp[2] // LEVEL * LEVEL
                if to != tp[2] // LEVEL * LEVEL and (tp, o) not in flight:
                    yield from forward(tp, o, v, ('req', tp[1], tp[2] % LEVEL + to), order + 1); return
        def respond(tp, o, u, kind, q, d, a, c, jars):        # acknowledged response, then the fact, then the mark
            if kind != 'dup' or 'reply' not in s.off:
                to = s.r.randrange(9) if 'sticky' in s.off else u + a if 'page' in s.off else u % AGAIN
                n, count, shift, closing, _ = s.layouts[p.layout]
                x = s.k.append(('resp', 0, to % count), (u, kind if kind != 'dup' else s.dup(), q, d, c, jars, n)); yield
            if kind != 'dup':                                 # a fact only if the layout does not close: control is read after the acknowledgement
                if 'ackread' not in s.off: p.layout = len(s.layouts) - 1; now, _, _, closing, _ = s.layouts[p.layout]
                else: now = n
                if s.o.responses: yield
                if now == n and not closing: s.answered(u, d, shift + x); yield
            s.redis.set(s.key('m', tp, o), 1)
        return s.guard(p, body)

    def lay(s, p, tp):                                        # the leader gives responses another number of partitions
        n, count, shift, closing, left = s.layouts[-1]
        def write(*record): s.k.check('seed', p.mid, [tp]); s.layouts.append(record)   # fenced
        def ends(): return {x: s.k.hw(x) for x in s.k.log if x[0] == 'resp'}
        if left is not None:                                  # all that was written before is handled: what follows may be read
            if 'barrier' not in s.off and any((s.k.com.get(('resp', x)) or (0,))[0] < end for x, end in left[1].items()): return
            write(n, count, shift, False, None); yield
        elif closing or n < 2 and s.r.random() < .2 and s.finished is None:
            before = ends(); yield
            if not closing and 'closing' not in s.off: write(n, count, shift, True, None); yield
            at = ends() if 'closing' not in s.off else before; yield
            c = s.r.choice([x for x in range(1, 5) if x != count])
            for i in range(c): s.k.create(('resp', 0, i))
            s.rebalance(None); yield
            write(n + 1, c, shift + max(at.values()), False, (shift, at)); yield
    def laid(s, p, pos, begin, offs, batch):                  # positions instead of offsets, and copies of what is void
        if 'pollread' not in s.off: p.layout = len(s.layouts) - 1
        n, count, shift, closing, left = s.layouts[p.layout]; out, copies = [], []
        for tp, ser in list(pos):
            end = 0 if closing else INF if left is None else left[1].get(tp, 0)
            if tp in offs and offs[tp][0] > end:              # holds at the end, until all before it is handled
                pos[tp, ser] = max(end, begin[tp, ser])
                if pos[tp, ser] == begin[tp, ser]: del offs[tp]
                else: offs[tp] = end, None
        for (tp, o), *v, of in batch:
            if tp not in offs or o >= offs[tp][0]: continue
            if left is not None and (of == n - 1 or 'void' in s.off): out.append(((tp, left[0] + o), *v))
            elif left is None and (of == n or 'void' in s.off): out.append(((tp, shift + o), *v))
            else: copies.append((('resp', 0, v[0] % AGAIN % count), (*v, n)))
        return out, copies

    LARGEST = 2
    forwarding = forwarder = None                             # the open transaction, and the leader that may forward
    def resize(s, p):                                         # the leader forwards what waits in the replaced topics, and deletes them
        if 'seal' not in s.off:
            for a in s.procs:                                 # fences all makers of requests; they read control before they go on
                if a.kind in 'AC' and a is not p and a.gen < s.gen: s.k.abort(a.txn); a.fenced = True
            yield
        gen, mine, s.open, more = s.gen, object(), max(s.open, s.gen), True; s.forwarder = mine   # the id is fixed: fences another leader
        if s.forwarding: s.k.abort(s.forwarding)
        yield                                                 # nobody fetches from the old ones any more: the others are served
        while more:
            below = [tp for tp in s.old() if tp[1] < gen]; more = False   # what is committed, then the ends: a copy stands before its mark
            reached = lambda: {tp: (s.k.com.get(('req', tp)) or (0,))[0] for tp in below}; ends = lambda: {tp: s.k.hw(tp) for tp in below}
            if 'ends' not in s.off: reached = reached(); yield; ends = ends(); yield
            else: ends = ends(); yield; reached = reached(); yield
            for tp, end in ends.items():
                at = reached[tp]
                while at < end:
                    more = 'passes' not in s.off
                    recs, nxt = s.k.read(tp, at, s.r.randint(1, 3)); yield
                    if nxt == at: break                       # an open transaction: in the next pass
                    left = [v for o, v in recs if s.key('m', tp, o) not in s.redis.d]; yield
                    if s.forwarder is not mine: raise Fenced
                    s.forwarding = p.txn = t = s.k.begin()
                    at_level = tp[2] // LEVEL * LEVEL if ('req', gen, LEVEL) in s.k.log else 0
                    for v in left: s.k.append(('req', gen, s.part(gen, v[0], v[3]) + at_level), v, t); yield
                    if at_level != tp[2] // LEVEL * LEVEL and 'gone' not in s.off: s.k.append(('ledger', 0, s.r.randrange(2)), ([], [], [(v[1], 0, 0, gen) for v in left]), t); yield
                    if 'together' not in s.off: t.offs['req', tp] = nxt, None
                    else: s.k.com['req', tp] = nxt, None; yield
                    s.k.end_txn(t, True); s.forwarding = p.txn = None; at = nxt; yield
        if any((s.k.com.get(('req', tp)) or (0,))[0] < end for tp, end in ends.items()): return
        for _ in range(10): yield                             # the deletion of topics takes a while
        for tp in s.old():
            if tp[1] < gen or 'below' in s.off: del s.k.log[tp]

    def batch(s, p, t, batch):
        emits, done, local, p.hints = [], [], {}, []
        for rid, u, kind, q, d, c, jars in batch:
            if 'trust' in s.on: d = min(d, s.facts(u)[0])     # unsound: this depth is in no durable record
            counted, store, follow = s.verdict_on(u, kind, q, d, rid[1])
            if counted and ('set' not in s.off or s.once(q, rid)): done.append(q)
            yield
            to, chain = s.redirect(u, c, *jars) if kind in ('shut', 'gate') else (None, ())
            found = [] if not follow or kind == 'fail' else [u] if kind == 'self' else [to] * (to is not None) if kind in ('shut', 'gate') else s.parse(u % AGAIN)
            found = [(v, d + (kind == 'page') if s.maxd < INF else 0, chain) for v in dict.fromkeys(found)]
            if kind == 'page' and follow: found += [(v, 0 if 'flat' not in s.off or s.maxd == INF else d + 1, ()) for v in dict.fromkeys(s.files_of.get(u % AGAIN, ()))]
            led = to is not None and len(chain) > 1 and to % AGAIN not in [hop[0] % AGAIN for hop in chain] and chain[0][1] != jars[2]
            if c and u < AGAIN and max(hop[0] for hop in c) < AGAIN and 'back' not in s.off and (not store or follow and led):   # it led elsewhere, or another was answered there
                found.append((AGAIN * ('mark' not in s.off) + c[0][0], d, c))
            for v, dv, chain in found:
                if dv > s.maxd or local.get(v, INF) <= dv or not s.unseen(v, dv):
                    if dv > s.maxd or not chain or v >= AGAIN or max(hop[0] for hop in chain) >= AGAIN or 'back' in s.off: continue
                local[v] = min(dv, local.get(v, INF)); h = s.request(v, dv, *chain); emits.append(h); s.emit(p, t, *h); yield
                if 'eager' in s.on: s.announce(*h); yield     # a fact that is not yet one
            if store and kind in ('page', 'file'): s.k.append(s.item(p, u % AGAIN), u % AGAIN, t); yield
        s.k.append(('ledger', 0, s.r.randrange(2)), (emits, done), t); p.hints = emits; yield


class Entries(Facts):
    """A rejected variant. An entry is announced(id) or taken(id, response), the frontier announces when it scans, and the end
    of a crawl is a difference of sums."""
    def __init__(s, seed, o):
        o = argparse.Namespace(**vars(o)); o.off = o.off | {'inflight'} | ({'set'} - o.on); super().__init__(seed, o)
    def claim(s, u, q):
        e = s.redis.d.get(('u', u))
        if e is None: s.redis.set(('u', u), ('c', q)); return True
        return e[1] == q
    def unseen(s, u, d): return ('u', u) not in s.redis.d
    def announce(s, u, q, *_): s.claim(u, q)
    def judge(s, u, q, d):
        if 'check' in s.off: return d                         # no check at the frontier
        if 'scan' in s.off: e = s.redis.d.get(('u', u)); return d if e is None or e[1] == q else None   # look, do not announce
        return d if s.claim(u, q) else None
    def answered(s, u, d, o): pass
    def verdict_on(s, u, kind, q, d, o):
        if kind == 'dup': return True, False, False           # once() decides whether it counts
        e = s.redis.d.get(('u', u))
        if e is None or e[0] == 'c' or e[2] == o:             # also when announced by another request: a page is a page
            s.redis.set(('u', u), ('s', q, o)); return True, True, True
        return e[1] != q, False, False


VARIANTS = '''variants (MODE):
  facts         the protocol: Redis holds only facts, and a crawl ends when the set of unanswered ids is empty
  entries       rejected: the entry of a URL names the request that owns it; a crawl ends by a sum of emitted - answered ids
  replay        rejected: as claims, repaired; after a loss Redis is rebuilt from the ledger topic
  claims        rejected: claim and settle a URL in one script;  claims-first, settle-first: in two, in that order
  sadd          rejected: SADD, then produce, as many crawlers on Kafka and Redis do

hazards: crashes, zombies, rebalances and lost registrations always (not with --calm); --loss --resize --flaky --alias --moves
--stragglers --outputs --responses --kafka --forget as below (--kafka not with --forget, --resize, --moves, --outputs or --responses)

--off takes rules away:
  facts         check = no look-up at the frontier, reply = no response for a DUPLICATE, set = a sum instead of the set of ids,
                min = the first writer wins instead of the smallest offset, ackfact = the downloader learns no fact,
                inflight = the same URL twice in flight; with --depth: improve = the first depth remains,
                lower = the frontier does not lower the depth; with --alias: forward = a redirect to another address of the page is
                an answer, sameid = what is forwarded gets a new id, page = responses are keyed by the address, back = a redirect to what another request has asked for ends there, mark = what is asked again has the identity of its URL, both = a stored
                page of a URL does not count for what is asked again; with --moves: newest = a
                late entry of an earlier move counts
  entries       check, reply; scan = the frontier looks up but only analyzers announce
  replay        amnesia sha nonce (loss in Redis), order, once, reemit
  facts         passes, together, seal, below (resize: the leader forwards until nothing is left, with the offsets, behind a fence,
                and deletes only generations below its own), ends (it reads the ends of the logs behind what is committed);
                with --moves, too: gone = the ledger learns that what waited at a priority that is gone has another one
  facts         ackread, pollread, closing, barrier, void (--responses: control is read after the acknowledgement, and after the poll; the
                layout closes before its ends are read; nothing behind the ends is handled before all below; what is void is copied)
  facts         with --kafka: restart = processes go on after a loss, begin = their groups go on, too, forget = facts are not void, cut = pipelines
                keep their positions, margin = what is handled is deleted at once, looked = also before the leader has
                seen the loss, and crawls are finished then, lost = nobody looks for requests that are in no log,
                wait = before all that the logs hold is handled again, dup = a DUPLICATE of before counts,
                fence = analyzers that do not know of the loss go on, beyond = a position beyond the log is handled
  facts         with --forget: record = the facts are deleted before the record, soon = at once behind it, refuse = seeds are admitted as before,
                over = processes handle what comes of a run that is over
  facts         with --requisites and --depth: flat = a requisite has the depth of a link
  all           refresh, most (--outputs: the leader reads control before it notes the ends of items; partitions that were written to
                are read for good), rename (the file sink), seal start (resize), sticky = responses of a URL in any partition, keyed = requests not
                keyed by host

--on:
  claims...     order, rename, seal = with these rules
  all           keyed = requests keyed by host; parallel = the batch in any order; naivecache = a cache of what was aborted
  replay        check = the downloader judges duplicates
  entries       set = the set of ids instead of the sum
  facts         eager = announce before the commit; with --depth: trust = the analyzer lowers the depth of a response,
                again = follow the links of every response at the smallest depth; with --alias and --depth: stored = a page that is
                not stored counts for what is asked again, too; with --alias, --moves or --stragglers:
                markfirst = mark, then forward; with --moves: marklate = mark, then the ledger learns the priority

The exit status is 1 if any seed failed.'''
def main():
    a = argparse.ArgumentParser(description=__doc__, epilog=VARIANTS, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('mode', choices='facts entries replay claims claims-first settle-first sadd'.split(), metavar='MODE')
    a.add_argument('--seeds', type=int, default=1000, help='number of runs'); a.add_argument('--from', dest='start', type=int, default=0, help='first seed')
    a.add_argument('--seconds', type=float, default=INF, help='stop after this time, even if seeds are left')
    a.add_argument('--show', type=int, default=0, metavar='K', help='print K failing seeds of each kind')
    a.add_argument('--loss', action='store_true', help='Redis may lose its last writes (facts, entries: repeated output is allowed then)')
    a.add_argument('--resize', action='store_true', help='the request topics are replaced by topics with more partitions during the run')
    a.add_argument('--flaky', action='store_true', help='a parser may miss some links')
    a.add_argument('--alias', action='store_true', help='facts: pages have two addresses in different partitions, and half of the second ones redirect to the first; some are behind a gate that sets a cookie')
    a.add_argument('--moves', action='store_true', help='facts: what waits is moved to another priority, twice')
    a.add_argument('--stragglers', action='store_true', help='facts: the request that holds the log is written again at its end')
    a.add_argument('--outputs', action='store_true', help='items are written to other numbers of partitions, more and fewer, three times during the run')
    a.add_argument('--responses', action='store_true', help='facts: responses are written to other numbers of partitions, twice')
    a.add_argument('--kafka', action='store_true', help='facts: the last records of all logs or of one topic, and the last offsets, are lost, up to twice, while the processes live')
    a.add_argument('--late', action='store_true', help='with --kafka: they are lost once, when the crawl is about to end, while processes of a kind sleep')
    a.add_argument('--forget', action='store_true', help='facts: those of the finished run are given up and deleted, while seeds come, and answers of processes that slept')
    a.add_argument('--requisites', action='store_true', help='facts: pages need files, which need others, at whatever depth the page is')
    a.add_argument('--depth', action='store_true', help='facts: a depth limit of 1 to 3 by shortest distance')
    a.add_argument('--calm', action='store_true', help='no hazards'); a.add_argument('--pages', type=int, help='size of the graph; default: 3 to 8')
    a.add_argument('--batch', type=int, default=2, help='records per partition in a batch')
    a.add_argument('--steps', type=int, default=9000, help='limit per run')
    a.add_argument('--events', type=int, default=8, help='the largest number of hazards per run')
    names = lambda x: set(filter(None, x.split(',')))
    a.add_argument('--off', default=set(), type=names); a.add_argument('--on', default=set(), type=names); o = a.parse_args()
    tally, bad, ex, repeats, rep_runs, fetches, made, urls, late = collections.Counter(), 0, {}, 0, 0, 0, 0, 0, 0
    begin, runs = time.monotonic(), 0
    for seed in range(o.start, o.start + o.seeds):
        if time.monotonic() - begin > o.seconds: break
        runs += 1; s = {'facts': Facts, 'entries': Entries}.get(o.mode, Sim)(seed, o); v = s.run(); tally.update(v); bad += bool(v)
        repeats += s.repeats; rep_runs += s.repeats > 0; fetches += sum(s.fetched.values()); made += s.ids; late += s.late; urls += len(s.fetched)
        for x in v: ex.setdefault(x, []).append(seed)
    opts = ' '.join([f for f in ('calm', 'loss', 'resize', 'flaky', 'depth', 'alias', 'moves', 'stragglers', 'outputs', 'responses', 'kafka', 'late', 'requisites', 'forget') if getattr(o, f)] + ['off=' + ','.join(sorted(o.off))] * bool(o.off) + ['+' + ','.join(sorted(o.on))] * bool(o.on))
    per = max(urls, 1)
    print(f'{o.mode:8} {opts:28} seeds {o.start}..{o.start + runs - 1}  failing {bad}  {dict(tally)}  fetches/URL {fetches / per:.3f} '
          f'requests/URL {made / per:.3f}  repeats {repeats} in {rep_runs} runs, output after finish in {late}',
          {k: v[:o.show] for k, v in ex.items()} if o.show else '', flush=True)
    sys.exit(bad > 0)
if __name__ == '__main__': main()
