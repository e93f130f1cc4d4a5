import { createLiveLog, type LiveCounts, type LiveLine, type LiveLog, type LiveStep } from '@lineage/referral-api/live'
import type { TeamCounts } from './createTeamCounts.ts'
import { beatText, countsText, resetText, stepText } from './liveText.ts'

/** A reader of a stream. */
export type Reader = {
  /** The address whose team it follows, in lower case; `null` for the whole community. */
  team: string | null
  /** Id of the last state that the reader got; `undefined` for a new reader. */
  id: string | undefined
  /** Sends bytes. `block` is the newest block in them. */
  send: (bytes: Buffer, block: number) => void
}

export type Channel = ReturnType<typeof createChannel>

/** The state of a channel. */
type ChannelState = {
  teams: TeamCounts
  now: () => number
  /** Readers by the team that they follow. */
  readers: Map<string | null, Set<Reader>>
  listeners: Set<(type: LiveLine['type']) => void>
  /** The steps of the last ten minutes, and the newest counts; `undefined` before the first line. */
  known: { log: LiveLog; counts: LiveCounts } | undefined
}

/** Creates the channel of a community, which sends the indexer's lines to all readers. Each event is formatted once. */
export function createChannel({ teams, now = Date.now }: { teams: TeamCounts; now?: () => number }) {
  const channel: ChannelState = { teams, now, readers: new Map(), listeners: new Set(), known: undefined }
  const { readers, listeners } = channel
  return {
    /** Handles a line of the indexer. */
    take(line: LiveLine): void {
      takeLine(channel, line)
      for (const listener of listeners) listener(line.type)
    },
    /** Calls a listener after each line. Returns a function that stops it. */
    onLine(listener: (type: LiveLine['type']) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Sends a sign of life to all readers. */
    beat(): void {
      if (!channel.known) return
      const text = beatText(channel.known.log.head, channel.known.counts.asOf)
      for (const team of readers.keys()) tell(channel, team, text)
    },
    /** Newest block that was reported; `undefined` before the first line. */
    get block() {
      return channel.known?.counts.asOf.block
    },
    get state(): 'waiting' | 'ready' {
      return channel.known ? 'ready' : 'waiting'
    },
    /** Adds a reader and sends the missed steps. Returns a function that removes the reader. */
    add: (reader: Reader): (() => void) => addReader(channel, reader),
    get size() {
      return [...readers.values()].reduce((sum, group) => sum + group.size, 0)
    },
  }
}

function takeLine(channel: ChannelState, line: LiveLine): void {
  const { known, readers, now } = channel
  if (line.type === 'log') {
    channel.known = { log: createLiveLog(line.floor, line.steps), counts: line.counts }
    for (const group of readers.values()) for (const reader of group) welcome(channel, reader)
    tellTeams(channel, 'all')
  } else if (known && line.type === 'beat') {
    known.counts = { ...known.counts, asOf: line.asOf }
    known.log.trim(now(), line.asOf.finalizedBlock)
  } else if (known && line.type === 'change') change(channel, known, line)
}

/** Sends the steps of a change to the readers that they concern, and then the counts. */
function change(
  channel: ChannelState,
  known: NonNullable<ChannelState['known']>,
  { steps, counts }: Extract<LiveLine, { type: 'change' }>,
): void {
  for (const step of steps) known.log.add(step)
  known.log.trim(channel.now(), counts.asOf.finalizedBlock)
  known.counts = counts
  const ending = countsText(known.log.head, counts)
  const textFor = createTexts(steps)
  for (const team of channel.readers.keys()) tell(channel, team, textFor(team) + (team === null ? ending : ''))
  tellTeams(channel, 'all')
}

function addReader(channel: ChannelState, reader: Reader): () => void {
  const { readers, teams } = channel
  const { team } = reader
  const group = readers.get(team) ?? new Set()
  readers.set(team, group.add(reader))
  welcome(channel, reader)
  if (team !== null) {
    teams.forget(team)
    tellTeams(channel, [team])
  }
  return () => {
    group.delete(reader)
    if (group.size > 0 || readers.get(team) !== group) return
    readers.delete(team)
    if (team !== null) teams.forget(team)
  }
}

/** Sends a new reader the missed steps and the counts. */
function welcome({ known }: ChannelState, reader: Reader): void {
  if (!known) return
  const { log, counts } = known
  const missed = reader.id === undefined ? [] : log.after(reader.id)
  const text = missed ? createTexts(missed)(reader.team) : resetText(log.head, counts)
  // A team's stream starts with a beat; its counts are requested and follow later.
  const ending = reader.team === null ? countsText(log.head, counts) : beatText(log.head, counts.asOf)
  reader.id = log.head
  reader.send(Buffer.from(text + ending), counts.asOf.block)
}

/** Sends a text to the readers of a team or of the whole community, and marks them as up to date. */
function tell({ known, readers }: ChannelState, team: string | null, text: string): void {
  if (text === '' || !known) return
  const bytes = Buffer.from(text)
  for (const reader of readers.get(team) ?? []) {
    reader.id = known.log.head
    reader.send(bytes, known.counts.asOf.block)
  }
}

/** Requests the counts of teams in portions and sends those that have changed. */
function tellTeams(channel: ChannelState, which: 'all' | readonly string[]): void {
  const watched = [...channel.readers.keys()].filter((team) => team !== null)
  channel.teams.update(which === 'all' ? watched : which, (counts) => {
    const { known } = channel
    if (known) tell(channel, counts.address.toLowerCase(), countsText(known.log.head, counts))
  })
}

/** Returns a function that returns the text of the steps that concern a team, or of all steps. */
function createTexts(steps: readonly LiveStep[]): (team: string | null) => string {
  const made = steps.map(({ items, ...step }) => {
    const parts = items.map(({ bind, teams }) => ({ bind, teams: new Set(teams) }))
    return {
      step,
      parts,
      whole: stepText(
        step,
        items.map(({ bind }) => bind),
      ),
    }
  })
  return (team) =>
    made
      .map(({ step, parts, whole }) => {
        const own = team === null ? parts : parts.filter(({ teams }) => teams.has(team))
        if (own.length === parts.length) return whole
        return own.length === 0
          ? ''
          : stepText(
              step,
              own.map(({ bind }) => bind),
            )
      })
      .join('')
}
