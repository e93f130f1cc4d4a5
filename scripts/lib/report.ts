export type Phase = {
  /** What is going on in it, such as `320 of 800 blocks`. */
  update: (text: string) => void
  /** Ends it with a line. */
  done: (text: string) => void
}

export type ReportParameters = {
  out?: { write: (text: string) => unknown; isTTY?: boolean; columns?: number }
  now?: () => number
}

/** Without a terminal that redraws, a phase says how far it is this often. */
const sparse = 5_000

/**
 * Lines for people, each with the seconds since the start. On a terminal the phases under way share one last line that is
 * drawn over; in a file they speak rarely.
 */
export function createReport({ out = process.stdout, now = Date.now }: ReportParameters = {}) {
  const startedAt = now()
  const phases = new Map<string, string>()
  const live = out.isTTY === true
  let drawn = false

  const elapsed = () => `${((now() - startedAt) / 1000).toFixed(1).padStart(6)} s  `
  function erase() {
    if (drawn) out.write('\r\x1b[2K')
    drawn = false
  }
  function draw() {
    if (!live || phases.size === 0) return
    erase()
    const text = `${elapsed()}${[...phases].map(([name, state]) => (state ? `${name}: ${state}` : name)).join(' · ')} …`
    out.write(text.slice(0, (out.columns ?? 80) - 1))
    drawn = true
  }
  function line(text: string) {
    erase()
    out.write(`${elapsed()}${text.replaceAll('\n', '\n          ')}\n`)
    draw()
  }

  return {
    line,
    phase(name: string): Phase {
      let saidAt = now()
      phases.set(name, '')
      if (!live) line(`${name} …`)
      draw()
      return {
        update(text) {
          if (!phases.has(name)) return
          phases.set(name, text)
          if (live) return draw()
          if (now() - saidAt < sparse) return
          saidAt = now()
          line(`${name}: ${text}`)
        },
        done(text) {
          phases.delete(name)
          line(text)
        },
      }
    },
    box(lines: string[]) {
      erase()
      const width = Math.max(...lines.map((one) => one.length))
      const edge = '─'.repeat(width + 4)
      out.write(`\n┌${edge}┐\n${lines.map((one) => `│  ${one.padEnd(width)}  │\n`).join('')}└${edge}┘\n\n`)
      draw()
    },
    /** Takes the live line away, for good. */
    end() {
      phases.clear()
      erase()
    },
  }
}
