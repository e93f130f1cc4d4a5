import type { Address } from '../addresses/address.ts'
import { utcDays } from '../lib/days.ts'
import type {
  Activity,
  AmountSums,
  BindStatus,
  ComparedMember,
  Comparison,
  Days,
  EventPosition,
  Grade,
  Growth,
  GrowthParameters,
  Known,
  Leader,
  Level,
  LineStep,
  Member,
  MemberSummary,
  Metrics,
  MetricsParameters,
  Moment,
  PastDirect,
  PastMember,
  PastSummary,
  PeriodAmounts,
  PeriodReferralsParameters,
  Ranks,
  Referral,
  ReferralsFilter,
  ReferralsParameters,
  ReferralsSort,
  Relation,
  Riser,
  TeamAmounts,
} from '../types.ts'

export type OracleEvent = EventPosition &
  (
    | { type: 'bind'; member: string; referrer: string | null; grade?: Grade; firstBlock?: number }
    | { type: 'volume' | 'reward'; member: string; amount: bigint }
  )

interface Bound extends EventPosition {
  order: number
  /** Referrer of the first bind; `null` for none. */
  referrer: Address | null
  /** `null` without a date. */
  joinedAt: number | null
  grade: Grade
  firstBlock: number
  between: MemberSummary['between']
}

const daySeconds = 86_400

/** Computes the rules and queries of a forest in the simplest way: with maps and recursion, always from scratch. */
export class Oracle {
  readonly statuses: BindStatus[] = []
  private readonly events: OracleEvent[]
  private readonly sentinels: Set<string>
  /** Referrer of each address, in the order first seen; `null` without one. */
  private readonly parents = new Map<Address, Address | null>()
  private readonly bound = new Map<Address, Bound>()
  private readonly named = new Set<Address>()
  /** Binds of members who were bound before. */
  private readonly moves: ({ member: Address } & Pick<Bound, 'block' | 'timestamp' | 'grade' | 'firstBlock'>)[] = []
  /** Members whose first bind names the zero address. */
  private readonly unspent = new Set<Address>()
  /** Cached answers: the events do not change. */
  private readonly known = new Map<string, unknown>()

  constructor(events: OracleEvent[], sentinels: readonly string[], rebind: boolean) {
    this.events = events
    this.sentinels = new Set(
      [`0x${'0'.repeat(40)}`, `0x${'dead'.padStart(40, '0')}`, ...sentinels].map((text) => text.toLowerCase()),
    )
    for (const event of events) {
      const member = event.member.toLowerCase() as Address
      if (event.type === 'bind')
        this.statuses.push(this.bind(event, member, event.referrer?.toLowerCase() ?? null, rebind))
      else if (!this.sentinels.has(member) && !this.parents.has(member)) this.parents.set(member, null)
    }
  }

  private bind(event: OracleEvent, member: Address, referrer: string | null, rebind: boolean): BindStatus {
    const parent = referrer === null || this.sentinels.has(referrer) ? null : (referrer as Address)
    const child = this.sentinels.has(member) ? null : member
    if (member === referrer || parent === child) return 'self'
    if (child === null) return 'cycle'
    if (referrer === null && !this.bound.has(child)) return 'duplicate'
    const mayMove = rebind || (this.unspent.has(child) && this.parents.get(child) === null)
    if (this.bound.has(child) && (!mayMove || this.parents.get(child) === parent)) return 'duplicate'
    if (parent !== null && this.upline(parent).includes(child)) return 'cycle'
    if (parent !== null) {
      if (!this.parents.has(parent)) this.parents.set(parent, null)
      this.named.add(parent)
    }
    this.parents.set(child, parent)
    if (!this.bound.has(child) && referrer !== null && /^0x0+$/.test(referrer)) this.unspent.add(child)
    const { grade = 'exact', firstBlock = 0 } = event as { grade?: Grade; firstBlock?: number }
    const { block, logIndex, timestamp } = event
    const position = { block, logIndex, timestamp, grade, firstBlock }
    if (this.bound.has(child)) this.moves.push({ member: child, ...position })
    else {
      const known =
        grade === 'exact'
          ? { joinedAt: timestamp, between: null }
          : { joinedAt: null, between: { from: firstBlock, to: block } }
      this.bound.set(child, { ...position, ...known, referrer: parent, order: this.bound.size })
    }
    return 'bound'
  }

  addresses(): Address[] {
    return [...this.parents.keys()].filter((address) => this.bound.has(address) || this.named.has(address))
  }

  private once<value>(name: string, compute: () => value): value {
    if (!this.known.has(name)) this.known.set(name, compute())
    return this.known.get(name) as value
  }

  /** Sums up legs, including their tops. */
  sumLegs(of: readonly Address[], from: number): { members: number; volume: bigint; recent: number } {
    const all = of.flatMap((leg) => [leg, ...this.downline(leg)])
    const recent = all.filter((address) => Number(this.bound.get(address)?.joinedAt ?? -1) >= from).length
    return { members: all.length, volume: this.sum('volume', all), recent }
  }

  children(of: Address): Address[] {
    return [...this.parents].filter(([, parent]) => parent === of).map(([child]) => child)
  }

  private upline(of: Address): Address[] {
    const parent = this.parents.get(of)
    return parent ? [parent, ...this.upline(parent)] : []
  }

  private downline(of: Address): Address[] {
    return this.once(`downline ${of}`, () => this.children(of).flatMap((child) => [child, ...this.downline(child)]))
  }

  private sum(type: 'volume' | 'reward', of: Iterable<string>, from = -1, until = Number.POSITIVE_INFINITY): bigint {
    const members = new Set(of)
    let total = 0n
    for (const event of this.events)
      if (event.type === type && members.has(event.member.toLowerCase()))
        if (event.timestamp > from && event.timestamp <= until) total += event.amount
    return total
  }

  summary(of: Address): MemberSummary {
    return this.once(`summary ${of}`, () => this.summarise(of))
  }

  private summarise(of: Address): MemberSummary {
    const bound = this.bound.get(of)
    return {
      address: of,
      status: bound ? 'member' : 'placeholder',
      referrer: this.parents.get(of) ?? null,
      depth: this.upline(of).length,
      joinedAt: bound?.joinedAt ?? null,
      grade: bound?.grade ?? null,
      block: bound?.block ?? null,
      logIndex: bound?.logIndex ?? null,
      between: bound?.between ?? null,
      directs: this.children(of).length,
      team: this.downline(of).length,
      ownVolume: this.sum('volume', [of]),
      teamVolume: this.sum('volume', this.downline(of)),
    }
  }

  private legVolume(of: Address): bigint {
    return this.once(`leg ${of}`, () => this.sum('volume', [of, ...this.downline(of)]))
  }

  member(of: Address): Member {
    const summary = this.summary(of)
    const legs = this.children(of).map((child) => this.legVolume(child))
    const largestLeg = legs.sort(ascending).at(-1) ?? 0n
    return {
      ...summary,
      root: this.upline(of).at(-1) ?? of,
      maxLevel: this.levels(of).length,
      largestLeg,
      otherLegs: summary.teamVolume - largestLeg,
      rewards: this.sum('reward', [of]),
    }
  }

  levels(of: Address): Level[] {
    const levels: Level[] = []
    for (let row = this.children(of); row.length > 0; row = row.flatMap((member) => this.children(member)))
      levels.push({ level: levels.length + 1, count: row.length, volume: this.sum('volume', row) })
    return levels
  }

  referrals(of: Address, { level, sort, order }: Pick<ReferralsParameters, 'level' | 'sort' | 'order'>): Referral[] {
    const key = (address: Address): bigint =>
      sort === 'joined' ? 0n : sort === 'team' ? BigInt(this.downline(address).length) : this.legVolume(address)
    const rows = this.downline(of)
      .map((address) => ({
        address,
        key: key(address),
        joined: this.bound.get(address)?.order ?? Number.NaN,
        level: this.upline(address).indexOf(of) + 1,
      }))
      .filter((row) => level === 'all' || row.level === level)
      .sort((left, right) => ascending(left.key, right.key) || left.joined - right.joined)
    if (order === 'desc') rows.reverse()
    return rows.map((row) => ({ ...this.summary(row.address), level: row.level }))
  }

  private activeAt(of: Address): number {
    const amounts = this.events.filter(({ type, member }) => type !== 'bind' && member.toLowerCase() === of)
    return amounts.at(-1)?.timestamp ?? 0
  }

  filteredReferrals(of: Address, filter: ReferralsFilter & Pick<ReferralsParameters, 'sort' | 'order'>): Referral[] {
    const { joinedFrom, joinedTo, levelFrom = 0, levelTo = Number.POSITIVE_INFINITY } = filter
    const { minTeam = 0, minVolume = 0n, activeSince = 0, prefix = '0x', bound = true, grades } = filter
    return this.referrals(of, { level: 'all', sort: filter.sort, order: filter.order }).filter(
      ({ address, joinedAt, grade, level, team }) =>
        (grades?.includes(grade as Grade) ?? true) &&
        (joinedFrom === undefined || (joinedAt ?? -1) >= joinedFrom) &&
        (joinedTo === undefined || (joinedAt ?? Number.POSITIVE_INFINITY) <= joinedTo) &&
        level >= levelFrom &&
        level <= levelTo &&
        team >= minTeam &&
        this.legVolume(address) >= minVolume &&
        this.activeAt(address) >= activeSince &&
        address.startsWith(prefix.toLowerCase()) &&
        bound,
    )
  }

  /** Counts the members who match all but the times of a filter, and have no date. */
  countUndated(of: Address, { joinedFrom, joinedTo, grades, ...filter }: ReferralsFilter): number {
    if (joinedFrom === undefined && joinedTo === undefined) return 0
    const asked = (grades ?? ['between', 'observed']).filter((grade) => grade !== 'exact')
    return this.filteredReferrals(of, { ...filter, grades: asked, sort: 'joined', order: 'asc' }).length
  }

  pastMember(of: Address): PastMember | undefined {
    if (!this.addresses().includes(of)) return undefined
    const { largestLeg, otherLegs, ...member } = this.member(of)
    return { ...member, teamRewards: this.sum('reward', this.downline(of)) }
  }

  private comparedMember(of: Address): ComparedMember | null {
    const { ownVolume, teamVolume, rewards, teamRewards, ...member } = this.pastMember(of) ?? {}
    return 'address' in member ? (member as ComparedMember) : null
  }

  /** Returns the events that an earlier oracle does not have. */
  private eventsAfter(earlier: Oracle): OracleEvent[] {
    return this.events.slice(earlier.events.length)
  }

  /** Sums up the amounts of a member and its team in some events. */
  private sumTeam(events: readonly OracleEvent[], of: Address): TeamAmounts {
    return { own: sumAmounts(events, [of]), team: sumAmounts(events, this.downline(of)) }
  }

  /** Returns the amounts of a member and its team after the newest event of an earlier oracle. */
  amountsAfter(earlier: Oracle, of: Address): TeamAmounts {
    return this.once(`amounts ${earlier.events.length} ${of}`, () => this.sumTeam(this.eventsAfter(earlier), of))
  }

  /** The same in all and by period. */
  amountsByPeriod(
    earlier: Oracle,
    of: Address,
    periods: (from: number, to: number) => number[],
  ): TeamAmounts & { items: PeriodAmounts[] } {
    const all = this.eventsAfter(earlier).filter(
      ({ type, member }) => type !== 'bind' && !this.sentinels.has(member.toLowerCase()),
    )
    const starts = all.length === 0 ? [] : periods(all[0]?.timestamp ?? 0, all.at(-1)?.timestamp ?? 0)
    const items = starts.map((from, index) => {
      const end = starts[index + 1] ?? Number.POSITIVE_INFINITY
      return {
        from,
        ...this.sumTeam(
          all.filter(({ timestamp }) => timestamp >= from && timestamp < end),
          of,
        ),
      }
    })
    while (items[0] && isEmpty(items[0])) items.shift()
    return { ...this.sumTeam(all, of), items }
  }

  /** Lists the members of today's downline with amounts in a period. */
  periodReferrals(
    of: Address,
    filter: ReferralsFilter & Pick<PeriodReferralsParameters, 'sort' | 'order'>,
    before: Oracle,
    after: Oracle,
  ): Referral[] {
    const name = filter.sort === 'periodVolume' ? 'volume' : 'rewards'
    const amountIn = ({ address }: Referral) => {
      const { own, team } = after.amountsAfter(before, address)
      return own[name] + team[name]
    }
    const rows = this.filteredReferrals(of, { ...filter, sort: 'joined', order: 'asc' })
      .filter((row) => amountIn(row) > 0n)
      .sort((left, right) => ascending(amountIn(left), amountIn(right)))
    return filter.order === 'asc' ? rows : rows.reverse()
  }

  /** Lists the members of today whose teams grew most in a period. */
  risers(
    of: Address | null,
    before: Oracle,
    after: Oracle,
    by: 'members' | 'volume' | 'rewards',
    limit: number,
  ): { items: Riser[]; undated: number } {
    const joined = [...after.bound].filter(([address]) => !before.bound.has(address))
    const dated = new Set(joined.filter(([, { grade }]) => grade === 'exact').map(([address]) => address))
    const valueIn = (address: Address) =>
      by === 'members'
        ? BigInt(after.downline(address).filter((each) => dated.has(each)).length)
        : after.amountsAfter(before, address).team[by]
    const known = new Set(this.addresses())
    const rows = [...this.parents.keys()]
      .filter((address) => known.has(address) && (of === null || after.downline(of).includes(address)))
      .map((address) => ({ address, value: valueIn(address) }))
      .filter(({ value }) => value > 0n)
      .sort((left, right) => ascending(right.value, left.value))
    const rankOf = (value: bigint) => rows.filter((row) => row.value > value).length + 1
    return {
      items: rows.slice(0, limit).map((row) => ({ ...row, rank: rankOf(row.value) })),
      undated: by === 'members' ? joined.length - dated.size : 0,
    }
  }

  ranks(of: Address): Ranks {
    const rank = (among: readonly Address[], name: 'team' | 'directs') => {
      const values = among.map((each) => this.summary(each)[name])
      const own = this.summary(of)[name]
      return {
        rank: values.filter((value) => value > own).length + 1,
        equal: values.filter((value) => value === own).length,
        of: values.length,
      }
    }
    const ranks = (among: readonly Address[]) => ({ team: rank(among, 'team'), directs: rank(among, 'directs') })
    const referrer = this.parents.get(of)
    return { siblings: referrer ? ranks(this.children(referrer)) : null, community: ranks(this.addresses()) }
  }

  /** Counts the members who did something in each period. */
  activity(
    of: Address | null,
    from: number,
    until: number,
    periods: (from: number, to: number) => number[],
  ): { items: Activity[]; undated: number } {
    const all = new Set(of === null ? this.bound.keys() : this.downline(of))
    const starts = periods(from, until)
    const undated = [...all].filter((address) => this.bound.get(address)?.joinedAt === null).length
    const items = starts.map((start, index) => {
      const isIn = (time: number) =>
        time >= Math.max(start, from) && time <= until && time < (starts[index + 1] ?? Number.POSITIVE_INFINITY)
      const joins = [...this.bound].filter(([, { joinedAt }]) => joinedAt !== null && isIn(joinedAt))
      const buyers = this.events.filter(
        (event) => event.type === 'volume' && event.amount > 0n && isIn(event.timestamp),
      )
      const members = (list: readonly (string | null)[]) => new Set(list.filter((each) => all.has(each as Address)))
      const bound = members(joins.map(([address]) => address))
      const bought = members(buyers.map(({ member }) => member.toLowerCase()))
      const brought = members(joins.map(([, { referrer }]) => referrer))
      const active = new Set([...bound, ...bought, ...brought])
      return { from: start, active: active.size, bound: bound.size, bought: bought.size, brought: brought.size }
    })
    return { items, undated }
  }

  pastReferrers(of: Address): PastSummary[] {
    return this.referrers(of).map(({ team, ownVolume, teamVolume, ...summary }) => summary)
  }

  pastDirects(of: Address, sort: ReferralsSort, order: 'asc' | 'desc'): PastDirect[] {
    return this.referrals(of, { level: 1, sort, order }).map(({ level, ...direct }) => direct)
  }

  /** Compares a team with the same team at a later time. */
  compare(of: Address, later: Oracle): Omit<Comparison, 'came'> & { came: Omit<Comparison['came'], 'undated'> } {
    const [before, after] = [this.downline(of), later.downline(of)]
    const came = after.filter((address) => !before.includes(address))
    const legs = [...new Set([...this.children(of), ...later.children(of)])].map((address) => {
      const sizeIn = (oracle: Oracle) =>
        oracle.children(of).includes(address) ? oracle.downline(address).length + 1 : 0
      const to = sizeIn(later)
      const amounts = sumAmounts(later.eventsAfter(this), to === 0 ? [] : [address, ...later.downline(address)])
      return { address, from: sizeIn(this), to, ...amounts }
    })
    const items = came
      .map((address) => ({ address, joinedAt: later.bound.get(address) as Bound }))
      .sort((left, right) => right.joinedAt.order - left.joinedAt.order)
      .map(({ address, joinedAt: { joinedAt, grade, block, logIndex, between } }) => ({
        ...{ address, joinedAt, grade, block, logIndex, between },
      }))
    const changed = legs
      .filter(({ from, to }) => from !== to)
      .sort(
        (left, right) =>
          Math.abs(right.to - right.from) - Math.abs(left.to - left.from) || (left.address < right.address ? -1 : 1),
      )
    return {
      from: this.comparedMember(of),
      to: later.comparedMember(of),
      amounts: later.sumTeam(later.eventsAfter(this), of),
      came: { count: came.length, items },
      left: before.filter((address) => !after.includes(address)).length,
      legs: changed,
      legsChanged: changed.length,
    }
  }

  /** Returns whether a member is known at a moment, of which `past` has the events. */
  knownAt(of: Address, moment: Moment, past: Oracle): Known {
    if (past.addresses().includes(of)) return 'known'
    return [of, ...this.children(of)].some((each) => this.isUncertain(each, moment, past)) ? 'perhaps' : 'unknown'
  }

  /** Counts the addresses around a member whose place at a moment is not known. */
  undatedAt(of: Address, moment: Moment, past: Oracle): number {
    const around = new Set([of, ...this.upline(of), ...this.downline(of)])
    const gone = this.moves.map(({ member }) => member).filter((member) => past.upline(member).includes(of))
    return [...new Set([...around, ...gone])].filter((each) => this.isUncertain(each, moment, past)).length
  }

  /** Counts the addresses on the lines of two members, then and today, whose place at a moment is not known. */
  undatedOnLines(a: Address, b: Address, moment: Moment, past: Oracle): number {
    const all = new Set([a, b].flatMap((of) => [of, ...this.upline(of), ...past.upline(of)]))
    return [...all].filter((each) => this.isUncertain(each, moment, past)).length
  }

  /** Counts the members of a team who joined between two moments, of which others have the events, or before. */
  undatedBetween(of: Address, moment: Moment, past: Oracle, later: Oracle): number {
    return this.downline(of).filter(
      (each) => !past.bound.has(each) && later.bound.has(each) && this.isUncertain(each, moment, past),
    ).length
  }

  private isUncertain(of: Address, moment: Moment, past: Oracle): boolean {
    const isLater = (one: Pick<Bound, 'block' | 'timestamp'>) =>
      'block' in moment ? one.block > moment.block : one.timestamp > moment.timestamp
    const next = 'block' in moment ? moment.block + 1 : [...this.bound.values()].find(isLater)?.block
    const own = past.bound.has(of) ? this.moves.filter(({ member }) => member === of) : [this.bound.get(of)]
    const end = next ?? Number.POSITIVE_INFINITY
    return own.some((one) => one && isLater(one) && one.grade !== 'exact' && one.firstBlock < Math.min(one.block, end))
  }

  growth(of: Address, { periods, now: asked }: GrowthParameters): Growth[] {
    const joins = this.downline(of).flatMap((address) => this.bound.get(address)?.joinedAt ?? [])
    if (joins.length === 0) return []
    const now = Math.max(asked, this.events.at(-1)?.timestamp ?? 0)
    const starts = periods(Math.min(...joins), now)
    return starts.map((from, index) => {
      const end = starts[index + 1] ?? Number.POSITIVE_INFINITY
      const total = joins.filter((joined) => joined < end).length
      return { from, members: joins.filter((joined) => joined >= from && joined < end).length, total }
    })
  }

  referrers(of: Address): MemberSummary[] {
    return this.upline(of).map((address) => this.summary(address))
  }

  relation(a: Address, b: Address): Relation {
    const [lineA, lineB] = [a, b].map((of) => [of, ...this.upline(of)]) as [Address[], Address[]]
    const common = lineA.find((each) => lineB.includes(each))
    if (!common) return { relation: 'unrelated', common: null, stepsA: null, stepsB: null }
    const [stepsA, stepsB] = [lineA.indexOf(common), lineB.indexOf(common)]
    const relation = a === b ? 'same' : common === a ? 'above' : common === b ? 'below' : 'sideways'
    return { relation, common, stepsA, stepsB }
  }

  line(a: Address, b: Address): LineStep[] {
    const { common, stepsA, stepsB } = this.relation(a, b)
    if (common === null) return []
    const up = [a, ...this.upline(a)].slice(0, Number(stepsA))
    const down = [b, ...this.upline(b)].slice(0, Number(stepsB)).reverse()
    const side = (step: number) => (step < up.length ? 'a' : step === up.length ? 'common' : 'b')
    return [...up, common, ...down].map((of, step) => ({ ...this.summary(of), step, side: side(step) }))
  }

  searchPrefix(prefix: string, limit: number): MemberSummary[] {
    return this.addresses()
      .filter((address) => address.startsWith(prefix.toLowerCase()))
      .sort()
      .slice(0, limit)
      .map((address) => this.summary(address))
  }

  /** Returns the second of the newest join or amount; 0 without any. */
  newestTime(): number {
    const joins = [...this.bound.values()].map(({ timestamp }) => timestamp)
    const amounts = this.events.filter(({ type }) => type !== 'bind').map(({ timestamp }) => timestamp)
    return Math.max(0, ...joins, ...amounts)
  }

  /** Counts all addresses whose place at a moment is not known. */
  allUndated(moment: Moment, past: Oracle): number {
    return this.addresses().filter((each) => this.isUncertain(each, moment, past)).length
  }

  metrics({ now, days }: MetricsParameters): Metrics {
    return this.metricsAt(Math.max(now, this.events.at(-1)?.timestamp ?? 0), days)
  }

  metricsAt(now: number, daysOf: Days = utcDays): Metrics {
    const everyone = this.events.map((event) => event.member.toLowerCase())
    const all = this.addresses().map((address) => this.summary(address))
    const members = all.filter(({ status }) => status === 'member')
    const dated = members.flatMap(({ joinedAt }) => joinedAt ?? [])
    const referrers = all.filter(({ directs }) => directs > 0)
    const edges = all.filter(({ referrer }) => referrer !== null).length
    const maxDepth = Math.max(0, ...all.map(({ depth }) => depth))
    const between = (from: number, until: number) => ({
      members: dated.filter((joinedAt) => joinedAt > from && joinedAt <= until).length,
      volume: this.sum('volume', everyone, from, until),
      rewards: this.sum('reward', everyone, from, until),
    })
    const refused = (status: BindStatus) => this.statuses.filter((each) => each === status).length
    const starts = dated.length === 0 ? [] : daysOf(Math.min(...dated), now)
    const [today = 0] = daysOf(now, now)
    const bounds = [0, 1, 2, 3, 6, 11, 21, 51, 101, 501, Number.POSITIVE_INFINITY]
    const leaders = (key: (summary: MemberSummary) => bigint): Leader[] =>
      [...this.parents.keys()]
        .flatMap((address) => all.filter((summary) => summary.address === address))
        .filter((summary) => key(summary) > 0n)
        .sort((left, right) => ascending(key(right), key(left)))
        .slice(0, 10)
        .map(({ address, directs, team, teamVolume }) => ({ address, directs, team, teamVolume }))
    return {
      members: members.length,
      referrers: referrers.length,
      roots: all.length - edges,
      maxDepth,
      averageDirects: referrers.length === 0 ? null : edges / referrers.length,
      volume: this.sum('volume', everyone),
      rewards: this.sum('reward', everyone),
      last24h: between(now - daySeconds, now),
      last7d: between(today - 6 * daySeconds - 1, now),
      last30d: between(today - 29 * daySeconds - 1, now),
      previous: {
        last24h: between(now - 2 * daySeconds, now - daySeconds),
        last7d: between(today - 13 * daySeconds - 1, now - 7 * daySeconds),
        last30d: between(today - 59 * daySeconds - 1, now - 30 * daySeconds),
      },
      dirty: {
        self: refused('self'),
        duplicate: refused('duplicate'),
        cycle: refused('cycle'),
        placeholder: all.length - members.length,
      },
      undated: members.length - dated.length,
      series: starts.map((from) => ({
        from,
        totalMembers: between(-1, from + daySeconds - 1).members,
        ...between(from - 1, from + daySeconds - 1),
      })),
      depths:
        all.length === 0
          ? []
          : Array.from({ length: maxDepth + 1 }, (_, depth) => ({
              depth,
              count: all.filter((summary) => summary.depth === depth).length,
            })),
      directsHistogram: bounds.slice(0, -1).map((from, index) => {
        const next = bounds[index + 1] as number
        const count = all.filter(({ directs }) => directs >= from && directs < next).length
        return { from, to: next === Number.POSITIVE_INFINITY ? null : next - 1, count }
      }),
      leaders: {
        team: leaders(({ team }) => BigInt(team)),
        directs: leaders(({ directs }) => BigInt(directs)),
        volume: leaders(({ teamVolume }) => teamVolume),
      },
    }
  }
}

function ascending(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function sumAmounts(events: readonly OracleEvent[], of: readonly string[]): AmountSums {
  const sums = { volume: 0n, rewards: 0n }
  for (const event of events) {
    if (event.type === 'bind' || !of.includes(event.member.toLowerCase())) continue
    sums[event.type === 'volume' ? 'volume' : 'rewards'] += event.amount
  }
  return sums
}

const isEmpty = ({ own, team }: TeamAmounts) => [own, team].every(({ volume, rewards }) => volume + rewards === 0n)
