export type Phase = {
  /** Shows the progress of the phase, such as `320 of 800 blocks`. */
  update: (text: string) => void
  /** Ends the phase with a line. */
  done: (text: string) => void
}

export type TerminalParameters = {
  out?: { write: (text: string) => unknown; isTTY?: boolean; columns?: number }
  now?: () => number
}

export type Terminal = ReturnType<typeof createTerminal>

/** Shortest time in milliseconds between two lines of a phase in a file. */
const rarely = 5_000

/**
 * Creates a terminal output that writes lines with the seconds since the start. On a terminal the current phases
 * share one last line, which is redrawn; in a file each phase writes a line at intervals.
 */
export function createTerminal({ out = process.stdout, now = Date.now }: TerminalParameters = {}) {
  const startedAt = now()
  const phases = new Map<string, string>()
  const isLive = out.isTTY === true
  let isDrawn = false

  const elapsed = () => `${((now() - startedAt) / 1000).toFixed(1).padStart(6)} s  `
  function erase() {
    if (isDrawn) out.write('\r\x1b[2K')
    isDrawn = false
  }
  function draw() {
    if (!isLive || phases.size === 0) return
    erase()
    const text = `${elapsed()}${[...phases].map(([name, state]) => (state ? `${name}: ${state}` : name)).join(' · ')} …`
    out.write(text.slice(0, (out.columns ?? 80) - 1))
    isDrawn = true
  }
  function line(text: string) {
    erase()
    out.write(`${elapsed()}${text.replaceAll('\n', '\n          ')}\n`)
    draw()
  }
  function phase(name: string): Phase {
    let writtenAt = now()
    phases.set(name, '')
    if (isLive) draw()
    else line(`${name} …`)
    return {
      update(text) {
        if (!phases.has(name)) return
        phases.set(name, text)
        if (isLive) return draw()
        if (now() - writtenAt < rarely) return
        writtenAt = now()
        line(`${name}: ${text}`)
      },
      done(text) {
        phases.delete(name)
        line(text)
      },
    }
  }
  function box(lines: string[]) {
    erase()
    const width = Math.max(...lines.map((one) => one.length))
    const edge = '─'.repeat(width + 4)
    out.write(`\n┌${edge}┐\n${lines.map((one) => `│  ${one.padEnd(width)}  │\n`).join('')}└${edge}┘\n\n`)
    draw()
  }
  /** Removes the redrawn line. */
  function end() {
    phases.clear()
    erase()
  }
  return { line, phase, box, end }
}
