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

/** Creates the channel of a community, which sends the indexer's lines to all readers. Each event is formatted once. */
export function createChannel({ teams, now = Date.now }: { teams: TeamCounts; now?: () => number }) {
  const readers = new Map<string | null, Set<Reader>>()
  const listeners = new Set<(type: LiveLine['type']) => void>()
  let state: { log: LiveLog; counts: LiveCounts } | undefined

  /** Sends a text to the readers of a team or of the whole community, and marks them as up to date. */
  function tell(team: string | null, text: string): void {
    if (text === '' || !state) return
    const bytes = Buffer.from(text)
    const id = state.log.head
    const { block } = state.counts.asOf
    for (const reader of readers.get(team) ?? []) {
      reader.id = id
      reader.send(bytes, block)
    }
  }

  /** Sends a new reader the missed steps and the counts. */
  function welcome(reader: Reader): void {
    if (!state) return
    const { log, counts } = state
    const missed = reader.id === undefined ? [] : log.after(reader.id)
    const text = missed ? createTexts(missed)(reader.team) : resetText(log.head, counts)
    // A team's stream starts with a beat; its counts are requested and follow later.
    const ending = reader.team === null ? countsText(log.head, counts) : beatText(log.head, counts.asOf)
    reader.id = log.head
    reader.send(Buffer.from(text + ending), counts.asOf.block)
  }

  /** Requests the counts of teams in portions and sends those that have changed. */
  function tellTeams(which: 'all' | readonly string[]): void {
    const watched = [...readers.keys()].filter((team) => team !== null)
    teams.update(which === 'all' ? watched : which, (counts) => {
      if (state) tell(counts.address.toLowerCase(), countsText(state.log.head, counts))
    })
  }

  function change(steps: readonly LiveStep[], counts: LiveCounts): void {
    if (!state) return
    for (const step of steps) state.log.add(step)
    state.log.trim(now(), counts.asOf.finalizedBlock)
    state.counts = counts
    const ending = countsText(state.log.head, counts)
    const textFor = createTexts(steps)
    for (const team of readers.keys()) tell(team, textFor(team) + (team === null ? ending : ''))
    tellTeams('all')
  }

  return {
    /** Handles a line of the indexer. */
    take(line: LiveLine): void {
      if (line.type === 'beat') {
        if (!state) return
        state.counts = { ...state.counts, asOf: line.asOf }
        state.log.trim(now(), line.asOf.finalizedBlock)
      } else if (line.type === 'change') change(line.steps, line.counts)
      else {
        state = { log: createLiveLog(line.floor, line.steps), counts: line.counts }
        for (const group of readers.values()) for (const reader of group) welcome(reader)
        tellTeams('all')
      }
      for (const listener of listeners) listener(line.type)
    },
    /** Calls a listener after each line. Returns a function that stops it. */
    onLine(listener: (type: LiveLine['type']) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Sends a sign of life to all readers. */
    beat(): void {
      if (!state) return
      const text = beatText(state.log.head, state.counts.asOf)
      for (const team of readers.keys()) tell(team, text)
    },
    /** Newest block that was reported; `undefined` before the first line. */
    get block() {
      return state?.counts.asOf.block
    },
    get state(): 'waiting' | 'ready' {
      return state ? 'ready' : 'waiting'
    },
    /** Adds a reader and sends the missed steps. Returns a function that removes the reader. */
    add(reader: Reader): () => void {
      const group = readers.get(reader.team) ?? new Set()
      readers.set(reader.team, group.add(reader))
      welcome(reader)
      if (reader.team !== null) {
        teams.forget(reader.team)
        tellTeams([reader.team])
      }
      return () => {
        group.delete(reader)
        if (group.size > 0 || readers.get(reader.team) !== group) return
        readers.delete(reader.team)
        if (reader.team !== null) teams.forget(reader.team)
      }
    },
    get size() {
      return [...readers.values()].reduce((sum, group) => sum + group.size, 0)
    },
  }
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
